#include "report/json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/sample_outcome.hpp"

namespace mazurka::report {
namespace {

TEST(Json, HasTheDocumentedKeys) {
  const auto document = nlohmann::json::parse(json(sample_outcome()));
  for (const char* key :
       {"schema_version", "mazurka_version", "verdict", "reason", "program", "technique", "racy",
        "executions", "asleep", "events", "seconds", "findings", "notes", "statistics"}) {
    EXPECT_TRUE(document.contains(key)) << key;
  }
  EXPECT_EQ(document["verdict"], "finding");
  EXPECT_EQ(document["executions"], 3);
  const auto& finding = document["findings"][0];
  EXPECT_EQ(finding["kind"], "data race");
  EXPECT_EQ(finding["schedule"], nlohmann::json::parse("[[0,0],[1,1]]"));
  EXPECT_EQ(finding["story"]["rows"].size(), 3U);
  EXPECT_TRUE(finding["story"]["rows"][0]["read_from"].is_null());
  EXPECT_EQ(finding["story"]["rows"][2]["read_from"], 1);
  EXPECT_EQ(finding["replay"], "mazurka replay .mazurka/bank-1.schedule");
}

TEST(Json, AnErrorIsADocumentToo) {
  const auto document = nlohmann::json::parse(json(error_outcome("x.c", "x.c: no such file")));
  EXPECT_EQ(document["verdict"], "error");
  EXPECT_EQ(document["reason"], "x.c: no such file");
}

TEST(Json, BadTextDoesNotBreakIt) {
  Outcome outcome = sample_outcome();
  outcome.findings[0].finding.message = "\xff\xfe";
  EXPECT_TRUE(nlohmann::json::accept(json(outcome)));
}

}  // namespace
}  // namespace mazurka::report
