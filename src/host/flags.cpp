#include "host/flags.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "host/ownership.hpp"

namespace mazurka::host {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view exact[] = {"-ansi",
                                      "-pthread",
                                      "-pipe",
                                      "-w",
                                      "-s",
                                      "-pie",
                                      "-no-pie",
                                      "-m32",
                                      "-m64",
                                      "-mcx16",
                                      "-v",
                                      "-pedantic",
                                      "-rdynamic",
                                      "-undef",
                                      "-static-libgcc",
                                      "-static-libstdc++",
                                      "-moutline-atomics",
                                      "-mno-outline-atomics"};

// What follows is a name, a number or a macro.
constexpr std::string_view beginnings[] = {
    "-D", "-U", "-O", "-std=", "-march=", "-mtune=", "-mcpu=", "-pedantic-"};

// An -f that has a value may name a file or a program (-fplugin=, -fmodule-mapper=, -fuse-ld=).
constexpr std::string_view valued[] = {
    "-fsanitize=",        "-fno-sanitize=",         "-fvisibility=", "-ftemplate-depth=",
    "-fconstexpr-depth=", "-fconstexpr-ops-limit=", "-fmax-errors=", "-ferror-limit=",
    "-fstack-protector-", "-fdiagnostics-color="};

// What follows is a folder, in the same word or in the next.
constexpr std::string_view folders[] = {"-I", "-L", "-isystem", "-iquote", "-idirafter"};

bool begins(std::string_view flag, std::string_view beginning) {
  return flag.starts_with(beginning) && flag.size() > beginning.size();
}

bool is_warning(std::string_view flag) {  // -Wl,x and the like are for other programs
  return flag.starts_with("-W") && flag.find(',') == std::string_view::npos;
}

bool is_debugging(std::string_view flag) {
  return flag.starts_with("-g") && flag.find('=') == std::string_view::npos;
}

bool is_feature(std::string_view flag) {
  if (!begins(flag, "-f") || flag.starts_with("-fdump") || flag.starts_with("-fprofile")) {
    return false;
  }
  return flag.find('=') == std::string_view::npos ||
         std::any_of(std::begin(valued), std::end(valued),
                     [&](std::string_view start) { return begins(flag, start); });
}

/// A name of a library, not a path to one.
bool is_library(std::string_view flag) {
  return begins(flag, "-l") && flag.find('/') == std::string_view::npos && flag[2] != ':';
}

bool is_harmless(std::string_view flag) {
  return std::find(std::begin(exact), std::end(exact), flag) != std::end(exact) ||
         std::any_of(std::begin(beginnings), std::end(beginnings),
                     [&](std::string_view start) { return begins(flag, start); }) ||
         flag == "-O" || is_warning(flag) || is_debugging(flag) || is_feature(flag) ||
         is_library(flag);
}

/// The folder that the flag names; empty if it is in the next word. Nothing: it is no such flag.
std::optional<std::string_view> named_folder(std::string_view flag) {
  for (const std::string_view start : folders) {
    if (flag.starts_with(start)) return flag.substr(start.size());
  }
  return std::nullopt;
}

}  // namespace

std::string why_refused(const std::vector<std::string>& flags, const fs::path& folder) {
  // What is not there yet is made by whoever can write where it will be.
  const auto foreign = [&](std::string_view file) -> std::string {
    fs::path there = folder / file;
    std::error_code ignored;
    while (!fs::exists(there, ignored) && there.has_relative_path()) there = there.parent_path();
    const std::string why = why_foreign(there);
    return why.empty() ? "" : std::string(file) + " " + why;
  };
  for (std::size_t at = 0; at < flags.size(); ++at) {
    const std::string& flag = flags[at];
    const bool last = at + 1 == flags.size();
    if (const auto named = named_folder(flag)) {
      if (named->empty() && last) return flag + " names no folder";
      const std::string_view path = named->empty() ? std::string_view(flags[++at]) : *named;
      if (const std::string why = foreign(path); !why.empty()) return why;
    } else if (flag == "-D" || flag == "-U") {
      if (last) return flag + " names no macro";
      ++at;
    } else if (!flag.starts_with('-') && !flag.starts_with('@') && !flag.empty()) {
      // One more source, object or library of the program: as its first one.
      if (!lies_in(folder / flag, ".")) return flag + " lies outside of this folder";
      if (const std::string why = foreign(flag); !why.empty()) return why;
    } else if (!is_harmless(flag)) {
      return flag + " is not among the flags that are taken from a file";
    }
  }
  return {};
}

bool name_inputs(const std::vector<std::string>& flags) {
  for (std::size_t at = 0; at < flags.size(); ++at) {
    const std::string& flag = flags[at];
    const std::optional<std::string_view> folder = named_folder(flag);
    if (flag == "-D" || flag == "-U" || (folder && folder->empty())) {
      ++at;  // its argument
    } else if (!flag.starts_with('-') || flag.starts_with("-l") || flag.starts_with("-L") ||
               flag.starts_with("-M") || flag.starts_with("-Wl,") || flag.starts_with("-X")) {
      return true;
    }
  }
  return false;
}

}  // namespace mazurka::host
