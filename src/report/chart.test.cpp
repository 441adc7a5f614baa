#include "report/chart.hpp"

#include <gtest/gtest.h>

namespace mazurka::report {
namespace {

Story story() {
  Story told;
  told.layout = StoryLayout::chart;
  told.processes = {"start", "Cart", "Stock"};
  StoryRow add;
  add.process = 1;
  add.from = 0;
  add.action = "add(3)";
  StoryRow reserve;
  reserve.process = 2;
  reserve.from = 1;
  reserve.action = "reserve(3)";
  StoryRow answer;
  answer.process = 1;
  answer.from = 2;
  answer.action = "reserved";
  answer.failing = true;
  told.rows = {add, reserve, answer};
  return told;
}

TEST(Chart, DrawsAnArrowPerMessage) {
  const std::string chart = draw_chart(story(), {false, false, 80});
  EXPECT_NE(chart.find("start"), std::string::npos);
  EXPECT_NE(chart.find("|-- add(3) ->|"), std::string::npos) << chart;
  EXPECT_NE(chart.find("|-- reserve(3) ->|"), std::string::npos) << chart;
  EXPECT_NE(chart.find("!  3"), std::string::npos) << chart;
  EXPECT_NE(chart.find("<-- reserved ---|"), std::string::npos) << chart;
}

TEST(Chart, GivesUpWhereTheLinesDoNotFit) {
  EXPECT_EQ(draw_chart(story(), {false, false, 20}), "");
}

}  // namespace
}  // namespace mazurka::report
