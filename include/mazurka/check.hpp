// Checks a function, from inside an ordinary program: a test, for instance.
//
//   const mazurka::Result result = mazurka::check([] {
//     Queue queue;
//     std::thread producer([&] { queue.push(1); });
//     queue.pop();
//     producer.join();
//   });
//   if (!result) std::cerr << result.text;
//
// The function is explored in a process of its own: this program is started again under Mazurka's
// scheduler, over and over, and each execution ends with this call. The way to the call is a part
// of the executions, too; if it is the same in all of them, it is performed only once. The program
// must have been built for Mazurka (mazurka-c++, or the CMake target mazurka::threads); with a
// plain compiler the function just runs once, and the result says so.
//
// Options for `mazurka check` can be given with the call, and for all calls in the environment
// variable MAZURKA_OPTIONS.
//
// A search that decides nothing (a limit is reached, say) is a failure. With MAZURKA_INCONCLUSIVE
// set to `skip` in the environment, or defined as `skip` before this header is included, it is
// skipped instead, and the program reports at its end how many checks were skipped.
#ifndef MAZURKA_CHECK_HPP_
#define MAZURKA_CHECK_HPP_

#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

extern "C" {
// Provided by the checker's runtime; absent, and then null, in a plain build.
struct mazurka_check_call {
  const char* name;              // of this call, to find it again
  const char* const* options;    // for `mazurka check`; ends with null
  const char* const* arguments;  // for the program, instead of its own; null: its own
  void (*body)(void*);
  void* argument;
  void (*take_text)(void*, const char*, unsigned long);
  void* text;
};
// NOLINTNEXTLINE(bugprone-reserved-identifier)
int __mazurka_check(const mazurka_check_call* call) __attribute__((weak));
// Where this process was started to explore a call: its name; else null.
// NOLINTNEXTLINE(bugprone-reserved-identifier)
const char* __mazurka_awaited_check() __attribute__((weak));
// NOLINTNEXTLINE(bugprone-reserved-identifier)
void __mazurka_fail(const char* message) __attribute__((weak));
}

#define MAZURKA_DETAIL_TEXT_OF(word) #word
#define MAZURKA_DETAIL_TEXT(word) MAZURKA_DETAIL_TEXT_OF(word)
#ifdef MAZURKA_INCONCLUSIVE
#define MAZURKA_DETAIL_INCONCLUSIVE MAZURKA_DETAIL_TEXT(MAZURKA_INCONCLUSIVE)
#else
#define MAZURKA_DETAIL_INCONCLUSIVE "fail"
#endif

namespace mazurka {

enum class Verdict : int {
  verified = 0,
  finding = 1,
  error = 2,
  inconclusive = 3,
  unchecked = 4,  // a plain build: the function ran once
};

struct Result {
  Verdict verdict = Verdict::unchecked;
  std::string text;      // the report: verdict, table, replay command
  bool skipped = false;  // inconclusive, and that is to be skipped

  /// Every behaviour is right; in a plain build: the function ran to its end. True as well if the
  /// search decided nothing and MAZURKA_INCONCLUSIVE is `skip`.
  explicit operator bool() const {
    return verdict == Verdict::verified || verdict == Verdict::unchecked || skipped;
  }
};

struct CheckSettings {
  std::string name;                    // empty: the place of the call
  std::vector<std::string> options;    // "--technique", "source", ...
  std::vector<std::string> arguments;  // for this program, when it is started again ...
  bool replace_arguments = false;      // ... instead of those that it has now
  std::string inconclusive;            // "fail" or "skip"; empty: as MAZURKA_INCONCLUSIVE says
};

namespace detail {

inline unsigned& number_skipped() {
  static unsigned number = 0;
  return number;
}

/// The first of many is announced for the end of the program.
inline void count_skipped() {
  if (++number_skipped() > 1) return;
  std::atexit([] {
    std::fprintf(stderr,
                 "mazurka: %u inconclusive %s skipped (MAZURKA_INCONCLUSIVE is skip): nothing is "
                 "known about %s\n",
                 number_skipped(), number_skipped() == 1 ? "check was" : "checks were",
                 number_skipped() == 1 ? "it" : "them");
  });
}

/// `here`: what the call asks for; the environment wins.
inline void settle_inconclusive(Result& result, const std::string& here) {
  const char* const set = std::getenv("MAZURKA_INCONCLUSIVE");
  const std::string wanted = set != nullptr && *set != '\0' ? set : here;
  if (wanted != "skip" && wanted != "fail") {
    result.verdict = Verdict::error;
    result.text = "mazurka: error: MAZURKA_INCONCLUSIVE is `" + wanted +
                  "`; it can be `fail` (an inconclusive check fails) or `skip`\n" + result.text;
  } else if (result.verdict == Verdict::inconclusive && wanted == "skip") {
    result.skipped = true;
    count_skipped();
  } else if (result.verdict == Verdict::inconclusive) {
    result.text +=
        "An inconclusive check fails; set MAZURKA_INCONCLUSIVE=skip in the environment to have it "
        "skipped.\n";
  }
}

inline std::vector<const char*> pointers(const std::vector<std::string>& words) {
  std::vector<const char*> result;
  for (const std::string& word : words) result.push_back(word.c_str());
  result.push_back(nullptr);
  return result;
}

inline Result call_checker(const CheckSettings& settings, void (*body)(void*), void* argument) {
  Result result;
  if (__mazurka_check == nullptr) {
    body(argument);
    result.text = "not checked: built without Mazurka; the function ran once\n";
    return result;
  }
  const std::vector<const char*> options = pointers(settings.options);
  const std::vector<const char*> arguments = pointers(settings.arguments);
  mazurka_check_call call{};
  call.name = settings.name.c_str();
  call.options = options.data();
  call.arguments = settings.replace_arguments ? arguments.data() : nullptr;
  call.body = body;
  call.argument = argument;
  call.take_text = [](void* text, const char* bytes, unsigned long size) {
    static_cast<std::string*>(text)->append(bytes, size);
  };
  call.text = &result.text;
  result.verdict = static_cast<Verdict>(__mazurka_check(&call));
  return result;
}

}  // namespace detail

/// Explores every behaviour of `body` that scheduling can cause.
template <typename Body, typename = std::enable_if_t<std::is_invocable_v<Body&>>>
[[nodiscard]] Result check(Body&& body, CheckSettings settings = {},
                           const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  if (settings.name.empty()) settings.name = std::string(file) + ":" + std::to_string(line);
  if (settings.inconclusive.empty()) settings.inconclusive = MAZURKA_DETAIL_INCONCLUSIVE;
  using Function = std::remove_reference_t<Body>;
  Result result = detail::call_checker(
      settings, [](void* function) { (*static_cast<Function*>(function))(); },
      const_cast<void*>(static_cast<const void*>(&body)));
  detail::settle_inconclusive(result, settings.inconclusive);
  return result;
}

/// Inside a checked function: it fails, with this message. Elsewhere nothing happens.
inline void fail(const std::string& message) {
  if (__mazurka_fail != nullptr) __mazurka_fail(message.c_str());
}

}  // namespace mazurka

#endif  // MAZURKA_CHECK_HPP_
