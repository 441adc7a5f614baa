#include "host/build_record.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace mazurka::host {
namespace {

namespace fs = std::filesystem;

TEST(Prerequisites, AreWhatFollowsTheTarget) {
  using Files = std::vector<std::string>;
  EXPECT_EQ(prerequisites("a.o: a.c \\\n /usr/include/stdio.h \\\n b.h\n"),
            (Files{"a.c", "/usr/include/stdio.h", "b.h"}));
  EXPECT_EQ(prerequisites("a: with\\ space.c x\\#y.h a$$b.h"),
            (Files{"with space.c", "x#y.h", "a$b.h"}));
  EXPECT_EQ(prerequisites(""), Files{});
}

// A compiler has made `binary` of program.c and sub/header.h.
class BuildRecordTest : public testing::Test {
 protected:
  BuildRecordTest() {
    std::string name = (fs::temp_directory_path() / "mazurka-record-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    fs::create_directory(folder_ / "sub");
    write("program.c", "#include \"header.h\"\n");
    write("sub/header.h", "int x;\n");
    for (const char* old : {"program.c", "sub/header.h"}) {
      fs::last_write_time(folder_ / old, fs::file_time_type::clock::now() - std::chrono::hours(1));
    }
  }
  ~BuildRecordTest() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
  }
  [[nodiscard]] BuildRecord record(std::vector<std::string> flags = {"-Isub"}) const {
    std::vector<std::string> command{"/bin/sh", "program.c"};
    command.insert(command.end(), flags.begin(), flags.end());
    return {folder_ / "binary", command, folder_, flags};
  }
  void build(bool silently = true) {
    BuildRecord made = record();
    ASSERT_EQ(made.flags().size(), 3U);
    made.begin();
    std::ofstream(made.flags()[2]) << "binary: program.c \\\n sub/header.h\n";
    write("binary", "compiled");
    made.keep(silently);
    EXPECT_FALSE(fs::exists(made.flags()[2]));
  }

  fs::path folder_;
};

TEST_F(BuildRecordTest, HoldsWhileNothingChanges) {
  EXPECT_FALSE(record().holds());
  build();
  EXPECT_TRUE(record().holds());
  write("output.json", "{}");  // nothing that could be included
  EXPECT_TRUE(record().holds());
}

TEST_F(BuildRecordTest, HoldsNoMoreWhenAHeaderChanges) {
  build();
  write("sub/header.h", "int y;\n");
  EXPECT_FALSE(record().holds());
  write("sub/header.h", "int x;\n");  // it is what it was
  EXPECT_TRUE(record().holds());
  fs::remove(folder_ / "sub/header.h");
  EXPECT_FALSE(record().holds());
}

TEST_F(BuildRecordTest, HoldsNoMoreWhenAHeaderMayComeBeforeAnother) {
  build();
  write("header.h", "int z;\n");  // beside the source: before the one in sub
  EXPECT_FALSE(record().holds());
}

TEST_F(BuildRecordTest, HoldsNoMoreForOtherFlagsOrSurroundings) {
  build();
  EXPECT_FALSE(record({"-Isub", "-DX"}).holds());
  setenv("CPATH", "/elsewhere", 1);
  EXPECT_FALSE(record().holds());
  unsetenv("CPATH");
  EXPECT_TRUE(record().holds());
}

TEST_F(BuildRecordTest, HoldsNoMoreForAnotherBinary) {
  build();
  write("binary", "other bytes");
  EXPECT_FALSE(record().holds());
}

TEST_F(BuildRecordTest, IsNotKeptWhenTheCompilerHasSomethingToSay) {
  build(false);
  EXPECT_FALSE(record().holds());
}

TEST_F(BuildRecordTest, IsNotKeptWhenAnInputChangedMeanwhile) {
  fs::last_write_time(folder_ / "program.c", fs::file_time_type::clock::now());
  build();
  EXPECT_FALSE(record().holds());
}

TEST_F(BuildRecordTest, IsNotKeptOfWhatOthersHaveAPartIn) {
  for (const std::vector<std::string>& flags :
       {std::vector<std::string>{"-lm"}, {"other.c"}, {"-Llib"}, {"-Wl,-z,now"}, {"-MMD"}}) {
    EXPECT_TRUE(record(flags).flags().empty()) << flags[0];
  }
  EXPECT_FALSE(record({"-D", "X", "-I", "sub"}).flags().empty());
}

}  // namespace
}  // namespace mazurka::host
