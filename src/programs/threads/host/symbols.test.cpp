// Symbols are tried on this very program: its variables, its functions, its stack.
#include "programs/threads/host/symbols.hpp"

#include <gtest/gtest.h>
#include <link.h>
#include <pthread.h>

#include <array>
#include <atomic>
#include <bit>
#include <filesystem>
#include <mutex>

#include "programs/threads/host/variables.hpp"

namespace symbols_sample {

struct Account {
  int id;
  long balance;
};
std::array<Account, 2> standard_accounts;
Account accounts[3];
int grid[2][5];
std::mutex guard;
std::atomic<unsigned> hits;
pthread_mutex_t forks[4];
double ratio;
bool flag;
const char* pointer;

struct Holder {
  static int total;
  int* where() {
    static int local;
    return &local;
  }
};
int Holder::total;

[[gnu::noinline]] std::uint64_t here() {
  return std::bit_cast<std::uint64_t>(__builtin_return_address(0));
}
std::uint64_t call_line = 0;
[[gnu::noinline]] std::uint64_t caller() {
  call_line = __LINE__ + 1;
  return here();
}

}  // namespace symbols_sample

namespace mazurka::threads {
namespace {

std::vector<RawModule> this_program() {
  std::uint64_t base = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        *static_cast<std::uint64_t*>(result) = info->dlpi_addr;
        return 1;  // the first one is the program
      },
      &base);
  return {{base, std::filesystem::read_symlink("/proc/self/exe").string()}};
}

template <typename T>
std::string name_of(const Symbols& symbols, const T* object, std::uint64_t size = sizeof(T)) {
  const auto place = symbols.variable(reinterpret_cast<std::uint64_t>(object), size);
  return place ? place->name : "";
}

template <typename T>
std::string value_of(const Symbols& symbols, const T* object, std::uint64_t value) {
  return format_value(value, sizeof(T),
                      symbols.variable(reinterpret_cast<std::uint64_t>(object), sizeof(T)));
}

TEST(Symbols, VariablesDownToTheMember) {
  using namespace symbols_sample;
  const Symbols symbols(this_program());
  EXPECT_EQ(name_of(symbols, &accounts[1].balance), "symbols_sample::accounts[1].balance");
  EXPECT_EQ(name_of(symbols, &grid[1][3]), "symbols_sample::grid[1][3]");
  EXPECT_EQ(name_of(symbols, &standard_accounts[1].id), "symbols_sample::standard_accounts[1].id");
  EXPECT_EQ(name_of(symbols, &guard), "symbols_sample::guard");
  EXPECT_EQ(name_of(symbols, &hits), "symbols_sample::hits");
  EXPECT_EQ(name_of(symbols, &forks[2], 0), "symbols_sample::forks[2]");
  EXPECT_EQ(name_of(symbols, &Holder::total), "symbols_sample::Holder::total");
  EXPECT_EQ(name_of(symbols, Holder{}.where()), "local");
}

TEST(Symbols, ValuesAreWrittenAsTheirType) {
  using namespace symbols_sample;
  const Symbols symbols(this_program());
  EXPECT_EQ(value_of(symbols, &accounts[0].id, 0xffff'ffffU), "-1");
  EXPECT_EQ(value_of(symbols, &hits, 0xffff'ffffU), "4294967295");
  EXPECT_EQ(value_of(symbols, &ratio, std::bit_cast<std::uint64_t>(0.5)), "0.5");
  EXPECT_EQ(value_of(symbols, &flag, 1), "true");
  EXPECT_EQ(value_of(symbols, &pointer, 0x1f), "0x1f");
  EXPECT_EQ(value_of(symbols, &pointer, 0), "null");
  EXPECT_EQ(format_value(0xff, 1, std::nullopt), "-1");
}

TEST(Symbols, FramesNameTheLine) {
  const Symbols symbols(this_program());
  const std::uint64_t address = symbols_sample::caller();
  const std::vector<Frame> frames = symbols.frames(std::vector{address});
  ASSERT_FALSE(frames.empty());
  EXPECT_EQ(frames[0].function, "symbols_sample::caller");
  EXPECT_EQ(frames[0].line, static_cast<int>(symbols_sample::call_line));
  EXPECT_TRUE(frames[0].file.ends_with("symbols.test.cpp"));
}

TEST(Symbols, UnknownAddressesDoNoHarm) {
  const Symbols symbols(this_program());
  EXPECT_TRUE(symbols.frames(std::vector<std::uint64_t>{0, 1, 0x10}).empty());
  EXPECT_FALSE(symbols.variable(0x10, 4).has_value());
  const Symbols nothing({{0, "no-such-file"}});
  EXPECT_FALSE(nothing.variable(0x10, 4).has_value());
}

}  // namespace
}  // namespace mazurka::threads
