// Checked tests in Catch2 (version 2 or 3; include Catch2's own header first).
//
//   MAZURKA_TEST(Queue, KeepsWhatIsPushed) { ...; assert(queue.pop() == 1); }
//
// is a TEST_CASE "Queue.KeepsWhatIsPushed" whose body is run for every behaviour that scheduling
// can cause. Say what must hold with assert(): Catch2's own assertions keep records that are put
// back after each execution, but for REQUIRE, which throws when it fails: an exception that leaves
// the body is a finding.
#ifndef MAZURKA_CATCH2_HPP_
#define MAZURKA_CATCH2_HPP_

#include <string>

#include "mazurka/check.hpp"

namespace mazurka::catch2 {

inline Result run(const char* name, void (*body)()) {
  CheckSettings settings;
  settings.name = name;
  settings.arguments = {name};
  settings.replace_arguments = true;
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

#define MAZURKA_TEST(suite, name)                                                \
  static void mazurka_body_##suite##_##name();                                   \
  TEST_CASE(#suite "." #name) {                                                  \
    const ::mazurka::Result result =                                             \
        ::mazurka::catch2::run(#suite "." #name, mazurka_body_##suite##_##name); \
    INFO(result.text);                                                           \
    REQUIRE(static_cast<bool>(result));                                          \
  }                                                                              \
  static void mazurka_body_##suite##_##name()

#endif  // MAZURKA_CATCH2_HPP_
