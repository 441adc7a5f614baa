#include "studio/gate.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "studio/folder.hpp"
#include "studio/menu.hpp"

namespace mazurka::studio {
namespace {

Asked good(const Gate& gate) {
  return {"GET", "/" + gate.token() + "/", "127.0.0.1:8000", "", "", ""};
}

TEST(Gate, LetsItsOwnPageIn) {
  const Gate gate(8000);
  EXPECT_EQ(gate.refusal(good(gate)), "");
  Asked asked = good(gate);
  asked.host = "localhost:8000";
  asked.origin = "http://localhost:8000";
  asked.site = "same-origin";
  EXPECT_EQ(gate.refusal(asked), "");
  asked.method = "POST";
  asked.content_type = "application/json";
  EXPECT_EQ(gate.refusal(asked), "");
}

TEST(Gate, RefusesEverybodyElse) {
  const Gate gate(8000);
  const auto refuses = [&](auto spoil) {
    Asked asked = good(gate);
    spoil(asked);
    EXPECT_NE(gate.refusal(asked), "");
  };
  refuses([](Asked& asked) { asked.path = "/"; });
  refuses([](Asked& asked) { asked.path.pop_back(); });
  refuses([](Asked& asked) { asked.path[5] = 'x'; });
  refuses([](Asked& asked) { asked.host = "evil.example:8000"; });
  refuses([](Asked& asked) { asked.host = "127.0.0.1:8001"; });
  refuses([](Asked& asked) { asked.host = ""; });
  refuses([](Asked& asked) { asked.origin = "http://evil.example"; });
  refuses([](Asked& asked) { asked.origin = "null"; });
  refuses([](Asked& asked) { asked.site = "cross-site"; });
  refuses([](Asked& asked) { asked.site = "same-site"; });
  refuses([](Asked& asked) { asked.method = "DELETE"; });
  refuses([](Asked& asked) {
    asked.method = "POST";
    asked.content_type = "text/plain";
  });
}

TEST(Gate, HasAnotherTokenEachTime) { EXPECT_NE(Gate(1).token(), Gate(1).token()); }

class InFolder : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(outer_ / "inner" / "deep");
    write(outer_ / "secret.c");
    write(outer_ / "inner" / "a.c");
    write(outer_ / "inner" / "notes.txt");
    write(outer_ / "inner" / "deep" / "b.tck");
    write(outer_ / "inner" / ".hidden.c");
    std::filesystem::create_symlink(outer_ / "secret.c", outer_ / "inner" / "link.c");
    std::filesystem::create_symlink(outer_, outer_ / "inner" / "up");
  }
  void TearDown() override { std::filesystem::remove_all(outer_); }
  static void write(const std::filesystem::path& file) { std::ofstream(file) << "text"; }

  std::filesystem::path outer_ =
      std::filesystem::path(testing::TempDir()) / ("studio" + std::to_string(getpid()));
};

TEST_F(InFolder, OnlyItsProgramsCanBeRead) {
  const Folder folder(outer_ / "inner");
  EXPECT_EQ(folder.read("a.c"), "text");
  EXPECT_EQ(folder.read("deep/b.tck"), "text");
  EXPECT_EQ(folder.read("deep/../a.c"), "text");
  for (const std::string name : {"notes.txt", "../secret.c", "link.c", "up/secret.c", "", ".",
                                 "deep", "/etc/passwd", "nothing.c", "../inner/../secret.c"}) {
    EXPECT_EQ(folder.read(name), std::nullopt) << name;
  }
  EXPECT_EQ(folder.read((outer_ / "secret.c").string()), std::nullopt);
  EXPECT_EQ(text_of(folder, "a.c"), std::nullopt);
  EXPECT_EQ(text_of(folder, "folder:a.c"), "text");
  EXPECT_EQ(text_of(folder, "example:../README.md"), std::nullopt);
  EXPECT_TRUE(text_of(folder, "example:threads/bank.cpp"));
}

TEST_F(InFolder, ItsProgramsAreListed) {
  const std::vector<std::string> names = Folder(outer_ / "inner").programs();
  EXPECT_EQ(names, (std::vector<std::string>{"a.c", "deep/b.tck"}));
  EXPECT_THROW(Folder(outer_ / "secret.c"), std::filesystem::filesystem_error);
}

TEST(Menu, PassesOptionsOnThatNameNoFile) {
  EXPECT_EQ(refusal({"--technique", "source", "-DN=3", "--max-time", "10s", "--keep-going"}), "");
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{"--json", "x"},
                                             {"--html=x"},
                                             {"--save", "x"},
                                             {"--resume", "x"},
                                             {"--dot", "x"},
                                             {"--state-graph", "x"},
                                             {"--suppressions", "x"},
                                             {"-include", "x"},
                                             {"-I/"},
                                             {"@x"},
                                             {"other.c"},
                                             {"--"},
                                             {"--max-time"},
                                             {"--nothing"},
                                             {"-wrapper", "x"}}) {
    EXPECT_NE(refusal(options), "") << options[0];
  }
}

}  // namespace
}  // namespace mazurka::studio
