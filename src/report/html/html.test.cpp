#include "report/html/html.hpp"

#include <gtest/gtest.h>

#include "report/json.hpp"
#include "report/sample_outcome.hpp"

namespace mazurka::report {
namespace {

std::string data_of(const std::string& page) {
  const std::string begin = R"(id="data">)";
  const std::size_t from = page.find(begin) + begin.size();
  return page.substr(from, page.find("</script>", from) - from);
}

TEST(Html, ThePageHasTheDocument) {
  const std::string page = html(sample_outcome());
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  EXPECT_EQ(page.find('@'), page.find("@media"));  // nothing is left to be filled in before
  EXPECT_NE(data_of(page).find("balance: T1 reads and T2 writes"), std::string::npos);
}

TEST(Html, NothingOfTheProgramEndsAnElement) {
  Outcome outcome = sample_outcome();
  const std::string evil = "</script></pre><!--@DATA@ & \xff";
  outcome.program = outcome.reason = outcome.findings[0].finding.message = evil;
  outcome.findings[0].story.sources = {{"x.c", evil}};
  const std::string page = html(outcome);
  const std::string data = data_of(page);
  EXPECT_EQ(data.find_first_of("<>&"), std::string::npos);
  EXPECT_NE(data.find("\\u003c/script\\u003e"), std::string::npos);
  EXPECT_NE(page.find("<title>&lt;/script&gt;"), std::string::npos);
  EXPECT_EQ(page.find("</pre><!--"), std::string::npos);
}

}  // namespace
}  // namespace mazurka::report
