// mazurka-certify: is a set of executions all of them?
//
// Reads a certificate that `mazurka check --certificate FILE` wrote and decides, with code of its
// own, whether the executions in it are all executions of the program that it describes.
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "check.hpp"

namespace {

constexpr int accepted = 0;
constexpr int refused = 1;
constexpr int bad_input = 2;
constexpr int incomplete = 3;

constexpr const char* usage =
    "usage: mazurka-certify FILE\n"
    "\n"
    "Decides whether the executions in a certificate, which `mazurka check --certificate FILE`\n"
    "wrote, are all executions of the program that it describes.\n"
    "\n"
    "exit code: 0 accepted, 1 refused, 2 the file is no certificate, 3 the search did not see\n"
    "everything, or the program uses what certificates do not cover\n";

certify::Secret draw_secret() {
  std::random_device source;
  const auto number = [&] { return (std::uint64_t{source()} << 32U) | source(); };
  certify::Secret secret;
  secret.low = number();
  secret.high = number();
  return secret;
}

void print(const certify::Certificate& certificate, const certify::Statistics& statistics,
           std::size_t bytes, double seconds) {
  const auto executions = static_cast<double>(statistics.executions);
  std::printf("executions %llu, different %llu; technique %s, memory model %s\n",
              static_cast<unsigned long long>(statistics.executions),
              static_cast<unsigned long long>(statistics.traces), certificate.technique.c_str(),
              certificate.model.c_str());
  std::printf(
      "demands %llu, looked for %llu; %.1f bytes and %.1f microseconds of processor time per "
      "execution\n",
      static_cast<unsigned long long>(statistics.demands),
      static_cast<unsigned long long>(statistics.looked_for),
      static_cast<double>(bytes) / executions, seconds * 1e6 / executions);
  if (certificate.technique == "optimal" && statistics.traces != statistics.executions) {
    std::printf("optimal explored %llu executions more than once\n",
                static_cast<unsigned long long>(statistics.executions - statistics.traces));
  }
}

int judge(const std::string& bytes) {
  const std::clock_t begun = std::clock();
  const certify::Certificate certificate = certify::read_certificate(bytes);
  certify::CheckOptions options;
  options.secret = draw_secret();
  const certify::Judgement judgement = certify::check(certificate, options);
  const double seconds = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
  switch (judgement.verdict) {
    case certify::Verdict::accepted:
      std::printf("ACCEPTED: these are all executions of the described program\n");
      print(certificate, judgement.statistics, bytes.size(), seconds);
      return accepted;
    case certify::Verdict::incomplete:
      std::printf("INCOMPLETE: %s", judgement.why.c_str());
      return incomplete;
    case certify::Verdict::refused: break;
  }
  std::printf("REFUSED: %s", judgement.why.c_str());
  return refused;
}

}  // namespace

int main(int count, char** words) {
  const std::string word = count == 2 ? words[1] : "";
  if (word == "--help" || word == "-h") {
    std::fputs(usage, stdout);
    return accepted;
  }
  if (word.empty() || word[0] == '-') {
    std::fputs(usage, stderr);
    return bad_input;
  }
  std::ifstream file(word, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "mazurka-certify: cannot read %s\n", word.c_str());
    return bad_input;
  }
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  try {
    return judge(bytes);
  } catch (const certify::BadCertificate& wrong) {
    std::fprintf(stderr, "mazurka-certify: %s: %s\n", word.c_str(), wrong.what());
    return bad_input;
  }
}
