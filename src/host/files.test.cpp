#include "host/files.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace mazurka::host {
namespace {

namespace fs = std::filesystem;

TEST(Files, IdentityIsTheContents) {
  const fs::path folder = fs::path(testing::TempDir());
  const std::string process = std::to_string(getpid());
  const fs::path one = folder / ("mazurka-one-" + process);
  const fs::path two = folder / ("mazurka-two-" + process);
  write_text(one, "same");
  write_text(two, "same");
  EXPECT_EQ(file_identity(one), file_identity(two));
  EXPECT_EQ(file_identity(one).size(), 16U);
  write_text(two, "other");
  EXPECT_NE(file_identity(one), file_identity(two));
  fs::remove(one);
  fs::remove(two);
}

TEST(Files, OnlyProgramsOfTheWrappersAreCheckable) {
  const auto message = [](const fs::path& file) {
    try {
      require_checkable(file);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message("no-such-file").find("no such file"), std::string::npos);
  EXPECT_NE(message("/bin/sh").find("compiler wrappers"), std::string::npos);
  EXPECT_NE(message("/etc/passwd").find("neither"), std::string::npos);
  EXPECT_NE(message("/tmp").find("not a file"), std::string::npos);
}

}  // namespace
}  // namespace mazurka::host
