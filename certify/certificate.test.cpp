// Files: what is no certificate is refused with a message, whatever the bytes are.
#include "certificate.hpp"

#include <gtest/gtest.h>

#include <random>

#include "check.hpp"
#include "program.test.hpp"
#include "random.test.hpp"

namespace certify::tests {
namespace {

std::string sample() {
  std::mt19937_64 random(7);
  const Program program = random_program(random, families().back());
  return encode(program, *all_traces(program, {100'000, 100'000}));
}

TEST(ReadCertificate, RefusesEveryPart) {
  const std::string whole = sample();
  EXPECT_NO_THROW((void)read_certificate(whole));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THROW((void)read_certificate(whole.substr(0, size)), BadCertificate) << size;
  }
  EXPECT_THROW((void)read_certificate(whole + 'S'), BadCertificate);
}

TEST(ReadCertificate, SaysWhereItIsWrong) {
  std::string bytes = sample();
  bytes[bytes.size() - 1] = static_cast<char>(bytes.back() ^ 1);
  try {
    (void)read_certificate(bytes);
    FAIL();
  } catch (const BadCertificate& wrong) {
    EXPECT_NE(std::string(wrong.what()).find("(byte "), std::string::npos) << wrong.what();
  }
}

// Changed bytes are refused, or describe something that is judged: nothing else may come of them.
TEST(ReadCertificate, SurvivesChangedBytes) {
  const std::string whole = sample();
  std::mt19937_64 random(11);
  int refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = whole;
    for (std::uint64_t changes = 1 + random() % 3; changes > 0; --changes) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    try {
      (void)check(read_certificate(bytes), CheckOptions{});
    } catch (const BadCertificate&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace certify::tests
