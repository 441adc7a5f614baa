#include "host/launcher.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <thread>

#include "host/files.hpp"
#include "host/interrupts.hpp"

namespace mazurka::host {
namespace {

Launch launch_of(const std::string& mode) {
  Launch launch;
  launch.binary = MAZURKA_FAKE_PROGRAM;
  launch.arguments = {mode};
  launch.request.technique = "sleep";
  launch.request.stall_seconds = 0;
  launch.request.schedule = {{ProcessId{0}, 0}, {ProcessId{0}, 0}, {ProcessId{0}, 0}};
  launch.patience = std::chrono::milliseconds(300);
  return launch;
}

TEST(Launcher, RequestGoesOutAndReplyComesBack) {
  const LaunchResult result = launch(launch_of("reply"));
  EXPECT_EQ(result.fate, Fate::replied);
  EXPECT_TRUE(result.reply.complete);
  EXPECT_EQ(result.reply.statistics.executions, 3U);
  EXPECT_EQ(result.reply.notes, std::vector<std::string>{"sleep"});
}

TEST(Launcher, ADeathLeavesItsSchedule) {
  const LaunchResult result = launch(launch_of("die"));
  EXPECT_EQ(result.fate, Fate::killed);
  EXPECT_EQ(result.signal, SIGSEGV);
  EXPECT_EQ(result.statistics.executions, 5U);
  const std::vector<Decision> expected{{ProcessId{0}, 0}, {ProcessId{1}, 2}};
  EXPECT_EQ(result.schedule, expected);
}

TEST(Launcher, WhatNobodyInThereMayAskEndsTheProgram) {
  const LaunchResult result = launch(launch_of("forbidden"));
  EXPECT_EQ(result.fate, Fate::killed);
  EXPECT_EQ(result.signal, SIGSYS);
}

TEST(Launcher, FilesAreWrittenForTheProgramAsAWhole) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("mazurka-saved-" + std::to_string(getpid()));
  const auto launched = [&](const std::string& mode) {
    Launch saving = launch_of(mode);
    saving.request.save_file = file.string();
    return launch(saving);
  };
  EXPECT_EQ(launched("dies while it saves").fate, Fate::killed);
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_EQ(launched("saves").exit_code, 0);
  EXPECT_EQ(read_text(file), "whole");
  EXPECT_EQ(launched("dies while it saves").fate, Fate::killed);
  EXPECT_EQ(read_text(file), "whole");
  EXPECT_FALSE(std::filesystem::exists(file.string() + ".new"));
  std::filesystem::remove(file);
}

TEST(Launcher, AnExitWithoutReplyIsSeen) {
  const LaunchResult result = launch(launch_of("exit"));
  EXPECT_EQ(result.fate, Fate::exited);
  EXPECT_EQ(result.exit_code, 7);
}

TEST(Launcher, AFailedCheckIsAnErrorWhateverElseWasReplied) {
  for (const char* mode : {"fails a check", "fails a check after a reply"}) {
    const LaunchResult result = launch(launch_of(mode));
    EXPECT_EQ(result.fate, Fate::replied);
    EXPECT_FALSE(result.reply.complete);
    EXPECT_NE(result.reply.error.find("internal error: `mode.empty()` does not hold "
                                      "(src/host/fake_program.cpp:"),
              std::string::npos)
        << result.reply.error;
  }
}

TEST(Launcher, AGarbledReplyIsAnError) {
  EXPECT_THROW((void)launch(launch_of("garbage")), InputError);
}

TEST(Launcher, AMissingProgramIsAnError) {
  Launch missing = launch_of("reply");
  missing.binary = "./no-such-program";
  EXPECT_THROW((void)launch(missing), InputError);
}

TEST(Launcher, ADeafProgramIsKilledWhenItsTimeIsOver) {
  Launch deaf = launch_of("deaf");
  deaf.request.limits.max_seconds = 0.1;
  const LaunchResult result = launch(deaf);
  EXPECT_EQ(result.fate, Fate::unresponsive);
  EXPECT_FALSE(result.by_user);
}

TEST(Launcher, WhatWasFoundOutlivesAProgramThatCanNotTellIt) {
  Launch drafting = launch_of("draft");
  drafting.request.limits.max_seconds = 0.1;
  drafting.grace = std::chrono::milliseconds(100);
  const LaunchResult result = launch(drafting);
  EXPECT_EQ(result.fate, Fate::unresponsive);
  EXPECT_TRUE(result.by_time);
  ASSERT_EQ(result.reply.findings.size(), 1U);
  EXPECT_EQ(result.reply.findings[0].finding.message, "found");
}

TEST(Launcher, ADeadlineInThePastLeavesAMoment) {
  Launch late = launch_of("deaf");
  late.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(5);
  late.patience = std::chrono::seconds(60);
  EXPECT_EQ(launch(late).fate, Fate::unresponsive);
}

TEST(Launcher, OtherSignalsAskAsWell) {
  for (const int signal : {SIGTERM, SIGHUP}) {
    bool sent = false;
    Launch waiting = launch_of("wait");
    waiting.on_progress = [&](const Progress&) {
      if (!sent) raise(signal);
      sent = true;
    };
    const LaunchResult result = launch(waiting);
    EXPECT_EQ(result.reply.stopped, Stop::interrupted);
    EXPECT_TRUE(result.by_user);
    EXPECT_EQ(CountInterrupts::first(), signal);
  }
}

TEST(Launcher, ASilentProgramIsKilled) {
  Launch deaf = launch_of("deaf");
  deaf.silence = std::chrono::milliseconds(200);
  EXPECT_EQ(launch(deaf).fate, Fate::unresponsive);
}

TEST(Launcher, CtrlCAsksTheProgramToReply) {
  bool sent = false;
  Launch waiting = launch_of("wait");
  waiting.on_progress = [&](const Progress&) {
    if (!sent) raise(SIGINT);
    sent = true;
  };
  const LaunchResult result = launch(waiting);
  EXPECT_EQ(result.fate, Fate::replied);
  EXPECT_EQ(result.reply.stopped, Stop::interrupted);
  EXPECT_TRUE(result.by_user);
}

TEST(Launcher, ASecondCtrlCKills) {
  Launch deaf = launch_of("deaf");
  deaf.patience = std::chrono::seconds(60);
  deaf.on_progress = [](const Progress&) { raise(SIGINT); };
  EXPECT_EQ(launch(deaf).fate, Fate::interrupted);
}

}  // namespace
}  // namespace mazurka::host
