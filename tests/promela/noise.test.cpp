// Texts that nobody would write: they are refused with a message, or they are models.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "programs/promela/lexer.hpp"
#include "programs/promela/translation.hpp"

namespace mazurka::promela {
namespace {

std::vector<std::string> examples() {
  std::vector<std::string> texts;
  for (const auto& entry : std::filesystem::directory_iterator(EXAMPLES)) {
    if (entry.path().extension() == ".pml") texts.push_back(preprocessed(entry.path().string()));
  }
  return texts;
}

std::string mutated(std::string text, std::mt19937_64& random) {
  static constexpr std::string_view pieces[] = {"{",
                                                "}",
                                                ";",
                                                "->",
                                                "::",
                                                "do",
                                                "od",
                                                "if",
                                                "fi",
                                                "else",
                                                "atomic",
                                                "d_step",
                                                "goto L",
                                                "L:",
                                                "break",
                                                "[",
                                                "]",
                                                "(",
                                                ")",
                                                "!",
                                                "?",
                                                "??",
                                                "run P()",
                                                "timeout",
                                                "_pid",
                                                "_",
                                                "-1",
                                                "255",
                                                "chan c",
                                                "= [0] of",
                                                "eval(",
                                                "byte x",
                                                "typedef",
                                                "inline",
                                                "skip",
                                                "assert(0)",
                                                "end:",
                                                "99999999",
                                                "for (i : 0 .. 2)",
                                                "select (i : 1 .. 9)",
                                                "provided",
                                                "[300]",
                                                "/ 0",
                                                "."};
  for (std::size_t left = 1 + random() % 5; left > 0 && !text.empty(); --left) {
    const std::size_t at = random() % text.size();
    switch (random() % 4) {
      case 0: text.erase(at, random() % 30); break;
      case 1: text.insert(at, " " + std::string(pieces[random() % std::size(pieces)]) + " "); break;
      case 2: text.insert(at, text.substr(random() % text.size(), random() % 80)); break;
      default: text[at] = static_cast<char>(random() % 256); break;
    }
  }
  return text;
}

TEST(PromelaNoise, IsRefusedOrExplored) {
  const std::vector<std::string> texts = examples();
  ASSERT_FALSE(texts.empty());
  std::mt19937_64 random(1);
  std::size_t accepted = 0;
  constexpr std::size_t inputs = 3000;
  for (std::size_t input = 0; input < inputs; ++input) {
    const std::string text = mutated(texts[random() % texts.size()], random);
    try {
      const Model model = parse_model(text, "noise.pml");
      Settings settings;
      settings.keep_going = true;
      settings.max_states = 500;
      (void)reach(model, settings);
      ++accepted;
      std::size_t looks = 0;
      (void)translate(model, [&] { return ++looks > 5; });
    } catch (const NetworkError& refusal) {
      EXPECT_STRNE(refusal.what(), "");
    }
  }
  EXPECT_GT(accepted, 0U);
  EXPECT_LT(accepted, inputs);
}

}  // namespace
}  // namespace mazurka::promela
