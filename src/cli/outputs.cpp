#include "cli/outputs.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/check.hpp"
#include "core/shown_text.hpp"
#include "host/files.hpp"
#include "report/formats.hpp"
#include "report/text.hpp"

namespace mazurka::cli {

namespace fs = std::filesystem;

namespace {

using host::InputError;

struct File {
  std::string path;
  std::string text;
};

/// Calls take(format, file) for each form that was asked for.
template <typename Take>
void for_each_form(const Outputs& outputs, Take&& take) {
  const std::span<const report::Format> formats = report::formats();
  MAZURKA_CHECK(outputs.files.size() <= formats.size(), "each report has a form");
  for (std::size_t at = 0; at < outputs.files.size(); ++at) {
    if (!outputs.files[at].empty()) take(formats[at], outputs.files[at]);
  }
}

bool is_stdout(const report::Format& format, const std::string& file) {
  return format.to_stdout && file == "-";
}

/// The files in which this outcome is to be found.
std::vector<File> files_of(const Outputs& outputs, const Outcome& outcome) {
  std::vector<File> files;
  for_each_form(outputs, [&](const report::Format& format, const std::string& file) {
    if (!is_stdout(format, file)) files.push_back({file, format.write(outcome)});
  });
  return files;
}

void print_reports(const Outputs& outputs, const Outcome& outcome) {
  for_each_form(outputs, [&](const report::Format& format, const std::string& file) {
    if (is_stdout(format, file)) print(stdout, format.write(outcome));
  });
}

bool same_file(const std::string& one, const std::string& other) {
  std::error_code failure;
  if (fs::equivalent(one, other, failure) && !failure) return true;  // hard links, too
  const fs::path first = fs::weakly_canonical(fs::absolute(one), failure);
  return !failure && first == fs::weakly_canonical(fs::absolute(other), failure) && !failure;
}

bool is_input(const Outputs& outputs, const std::string& file) {
  return std::any_of(outputs.inputs.begin(), outputs.inputs.end(), [&](const std::string& input) {
    return !input.empty() && same_file(file, input);
  });
}

}  // namespace

Outputs outputs_of(const Options& options) {
  return {options.reports, {options.program, options.resume, options.schedule}};
}

std::string shown_program(const Options& options) {
  return !options.program.empty()  ? options.program
         : !options.resume.empty() ? options.resume
                                   : options.schedule;
}

void print(std::FILE* stream, const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fflush(stream);
}

void say(const std::string& kind, const std::string& message) {
  print(stderr, fmt::format("mazurka: {}: {}\n", kind, printable_lines(message)));
}

void announce(const Outputs& outputs, const std::string& program) {
  const Outcome unfinished = error_outcome(program, "the run has not come to its end");
  std::vector<File> files = files_of(outputs, unfinished);
  for (std::size_t at = 0; at < files.size(); ++at) {
    const std::string& path = files[at].path;
    if (is_input(outputs, path)) {
      throw InputError(path +
                       " would be overwritten: it is what is to be checked; write the report to "
                       "another file");
    }
    for (std::size_t before = 0; before < at; ++before) {
      if (same_file(path, files[before].path) && !host::is_stream(path)) {
        throw InputError(path + " can not hold two reports; give each a file of its own");
      }
    }
  }
  for (const File& file : files) {
    std::error_code ignored;
    const bool folder = fs::is_directory(file.path, ignored);
    if (!host::is_stream(file.path)) {
      host::write_text(file.path, file.text);
    } else if (folder || access(file.path.c_str(), W_OK) != 0) {
      throw InputError(fmt::format("{} can not be written: {}", file.path,
                                   std::strerror(folder ? EISDIR : errno)));
    }
  }
}

bool prints_a_report(const Outputs& outputs) {
  bool found = false;
  for_each_form(outputs, [&](const report::Format& format, const std::string& file) {
    found = found || is_stdout(format, file);
  });
  return found;
}

int deliver(const Outputs& outputs, const Outcome& outcome, const report::Style& style) {
  MAZURKA_CHECK(!outcome.reason.empty() || outcome.verdict == Verdict::verified,
                "a verdict says what it rests on");
  if (outcome.verdict == Verdict::error) {
    say("error", outcome.program + ": " + outcome.reason);
  } else if (!prints_a_report(outputs)) {
    print(stdout, report::text(outcome, style));
  }
  print_reports(outputs, outcome);
  for (const std::string& warning : outcome.warnings) say("warning", warning);
  bool lost = false;
  for (const File& file : files_of(outputs, outcome)) {
    try {
      host::write_text(file.path, file.text);
    } catch (const std::exception& error) {
      lost = true;
      say("warning", std::string("a report is lost: ") + error.what());
    }
  }
  const bool finding = outcome.verdict == Verdict::finding;
  // What looks like a finding and may be none makes a verdict inconclusive.
  MAZURKA_CHECK(!finding || !outcome.findings.empty(), "the verdict rests on a finding");
  MAZURKA_CHECK(outcome.verdict != Verdict::verified || outcome.findings.empty(),
                "a program with findings is not verified");
  return static_cast<int>(lost && !finding ? Verdict::error : outcome.verdict);
}

void deliver_error(const Outputs& outputs, const std::string& program, const std::string& message) {
  const Outcome outcome = error_outcome(program, message);
  print_reports(outputs, outcome);
  for (const File& file : files_of(outputs, outcome)) {
    if (is_input(outputs, file.path)) continue;
    try {
      host::write_text(file.path, file.text);
    } catch (const std::exception&) {
      // What matters has been said.
    }
  }
}

Outputs outputs_in(int argc, const char* const* argv) {
  const std::span<const report::Format> formats = report::formats();
  Outputs outputs;
  outputs.files.resize(formats.size());
  for (int at = 1; at < argc && std::string_view(argv[at]) != "--"; ++at) {
    const std::string_view word = argv[at];
    bool names_output = false;
    for (std::size_t form = 0; form < formats.size(); ++form) {
      const std::string_view name = formats[form].option;
      std::string& file = outputs.files[form];
      if (word == name && at + 1 < argc) {
        // Another option in the place of the file: that may be what is wrong.
        const std::string_view next = argv[at + 1];
        if (next != "-" && next.starts_with("-")) break;
        file = argv[++at];
        names_output = true;
        break;
      }
      if (word.starts_with(name) && word.substr(name.size()).starts_with("=")) {
        file = word.substr(name.size() + 1);
        names_output = true;
      }
    }
    if (!names_output) outputs.inputs.emplace_back(word);
  }
  return outputs;
}

}  // namespace mazurka::cli
