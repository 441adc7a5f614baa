// Checked tests in Catch2 (version 2 or 3; include Catch2's own header first).
//
//   MAZURKA_TEST(Queue, KeepsWhatIsPushed) { ...; assert(queue.pop() == 1); }
//
// is a TEST_CASE "Queue.KeepsWhatIsPushed" whose body is run for every behaviour that scheduling
// can cause; MAZURKA_TEST_CASE("what is pushed is kept", "[queue]") { ... } has Catch2's own words.
// The test fails, too, if the search decided nothing; MAZURKA_INCONCLUSIVE makes that a skip
// (check.hpp; where Catch2 has no SKIP, a warning). Say what must hold with assert(): Catch2's own
// assertions keep records that are put back after each execution, but for REQUIRE, which throws
// when it fails: an exception that leaves the body is a finding.
#ifndef MAZURKA_CATCH2_HPP_
#define MAZURKA_CATCH2_HPP_

#include <string>

#include "mazurka/check.hpp"

namespace mazurka::catch2 {

/// On the command line some characters of a name mean something.
inline std::string escaped(const std::string& name) {
  std::string text;
  for (const char c : name) {
    if (c == '\\' || c == ',' || c == '[' || c == ']' || c == '"') text += '\\';
    text += c;
  }
  return text;
}

inline Result run(const char* name, void (*body)(), const char* inconclusive) {
  CheckSettings settings;
  settings.name = name;
  settings.arguments = {escaped(name)};
  settings.replace_arguments = true;
  settings.inconclusive = inconclusive;
  return check(
      [body] {
        try {
          body();
        } catch (...) {
          fail("an exception leaves the test, or a REQUIRE in it fails");
        }
      },
      settings);
}

}  // namespace mazurka::catch2

#ifdef SKIP
#define MAZURKA_DETAIL_SKIP(text) SKIP(text)
#else
#define MAZURKA_DETAIL_SKIP(text) WARN(text)
#endif
#define MAZURKA_DETAIL_REPORT(result)   \
  if (result.skipped) {                 \
    MAZURKA_DETAIL_SKIP(result.text);   \
  } else {                              \
    INFO(result.text);                  \
    REQUIRE(static_cast<bool>(result)); \
  }

#define MAZURKA_TEST(suite, name)                                                      \
  static void mazurka_body_##suite##_##name();                                         \
  TEST_CASE(#suite "." #name) {                                                        \
    const ::mazurka::Result result = ::mazurka::catch2::run(                           \
        #suite "." #name, mazurka_body_##suite##_##name, MAZURKA_DETAIL_INCONCLUSIVE); \
    MAZURKA_DETAIL_REPORT(result)                                                      \
  }                                                                                    \
  static void mazurka_body_##suite##_##name()

#define MAZURKA_DETAIL_TEST_CASE(body, name, tags, ...)                  \
  static void body();                                                    \
  TEST_CASE(name, "" tags) {                                             \
    const ::mazurka::Result result =                                     \
        ::mazurka::catch2::run(name, body, MAZURKA_DETAIL_INCONCLUSIVE); \
    MAZURKA_DETAIL_REPORT(result)                                        \
  }                                                                      \
  static void body()
#define MAZURKA_DETAIL_JOINED(start, line) start##line
#define MAZURKA_DETAIL_NAMED(start, line) MAZURKA_DETAIL_JOINED(start, line)
/// MAZURKA_TEST_CASE(name) or MAZURKA_TEST_CASE(name, tags), as TEST_CASE.
#define MAZURKA_TEST_CASE(...) \
  MAZURKA_DETAIL_TEST_CASE(MAZURKA_DETAIL_NAMED(mazurka_body_, __LINE__), __VA_ARGS__, , )

#endif  // MAZURKA_CATCH2_HPP_
