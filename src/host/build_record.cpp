#include "host/build_record.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <system_error>

#include "host/files.hpp"
#include "host/flags.hpp"
#include "host/ownership.hpp"

namespace mazurka::host {

namespace fs = std::filesystem;

namespace {

constexpr const char* first_line = "mazurka build record 1";

// What compilers, and the wrappers, take from the environment.
constexpr const char* variables[] = {
    "PATH",          "CPATH",           "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH",
    "COMPILER_PATH", "GCC_EXEC_PREFIX", "MAZURKA_CC",     "MAZURKA_CXX",        "TMPDIR",
    "LANG",          "LC_ALL",          "LC_CTYPE",       "SOURCE_DATE_EPOCH"};

// By these names something is included; others appear in folders without meaning anything.
constexpr std::string_view extensions[] = {"",     ".h",   ".hh",  ".hpp", ".hxx", ".H", ".inc",
                                           ".inl", ".ipp", ".tpp", ".tcc", ".def", ".c", ".cc",
                                           ".cpp", ".cxx", ".C",   ".i",   ".ii"};

bool is_of_system(const std::string& file) { return file.starts_with("/usr/"); }

bool searches_folder(std::string_view flag) {
  return flag == "-I" || flag == "-isystem" || flag == "-iquote" || flag == "-idirafter";
}

std::vector<std::string> folders_in(const std::vector<std::string>& flags) {
  std::vector<std::string> folders;
  for (std::size_t at = 0; at < flags.size(); ++at) {
    const std::string& flag = flags[at];
    for (const char* option : {"-isystem", "-iquote", "-idirafter", "-I"}) {
      if (flag.starts_with(option) && !searches_folder(flag)) {
        folders.push_back(flag.substr(std::string_view(option).size()));
        break;
      }
    }
    if (searches_folder(flag) && at + 1 < flags.size()) folders.push_back(flags[++at]);
  }
  return folders;
}

/// A file that nobody writes in the same moment: which one it is, and when it was written.
std::string stamp(const fs::path& file) {
  struct stat about {};
  if (stat(file.c_str(), &about) != 0) return "missing";
  std::ostringstream text;
  text << about.st_dev << ' ' << about.st_ino << ' ' << about.st_size << ' ' << about.st_mtim.tv_sec
       << ' ' << about.st_mtim.tv_nsec << ' ' << about.st_ctim.tv_sec << ' '
       << about.st_ctim.tv_nsec;
  return text.str();
}

std::string state_of(const fs::path& file) {
  return is_of_system(file.string()) ? stamp(file) : file_identity(file);
}

/// The names in a folder by which something can be included.
std::string headers_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(folder, failure)) {
    const fs::path name = entry.path().filename();
    if (std::find(std::begin(extensions), std::end(extensions), name.extension().string()) !=
        std::end(extensions)) {
      names.push_back(name.string());
    }
  }
  if (failure) return "missing";
  std::sort(names.begin(), names.end());
  std::uint64_t key = hash("");
  for (const std::string& name : names) key = hash(name + '\0', key);
  return hash_text(key);
}

/// The program that is meant by this word of a command.
std::string program_of(const std::string& word) {
  std::error_code failure;
  if (word.find('/') != std::string::npos) return fs::canonical(word, failure).string();
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path file = fs::path(folder.empty() ? "." : folder) / word;
    if (access(file.c_str(), X_OK) == 0) return fs::canonical(file, failure).string();
  }
  return "";
}

/// The compilers that may be at work, and what the wrappers consist of.
std::vector<std::string> tools_of(const std::vector<std::string>& command) {
  std::vector<std::string> tools{program_of(command[0])};
  for (const char* variable : {"MAZURKA_CC", "MAZURKA_CXX"}) {
    const char* chosen = std::getenv(variable);
    if (chosen != nullptr) tools.push_back(program_of(chosen));
  }
  for (const char* compiler : {"gcc", "g++", "clang", "clang++", "as", "ld"}) {
    tools.push_back(program_of(compiler));
  }
  const fs::path share = fs::path(command[0]).parent_path().parent_path() / "share/mazurka";
  tools.push_back((share / "mazurka.specs").string());
  return tools;
}

/// Whether all that matters of it is known: it was not written since, and takes in no other file.
bool is_settled(const fs::path& file, fs::file_time_type begun) {
  std::error_code failure;
  if (fs::last_write_time(file, failure) >= begun || failure) return false;
  return is_of_system(file.string()) || read_text(file).find("incbin") == std::string::npos;
}

}  // namespace

std::vector<std::string> prerequisites(const std::string& rule) {
  std::vector<std::string> files;
  std::string word;
  bool after_target = false;
  const auto end_word = [&] {
    if (after_target && !word.empty()) files.push_back(word);
    if (word.ends_with(':')) after_target = true;
    word.clear();
  };
  for (std::size_t at = 0; at < rule.size(); ++at) {
    const char here = rule[at];
    const char next = at + 1 < rule.size() ? rule[at + 1] : '\0';
    if (here == '\\' && next == '\n') {
      end_word();
      ++at;
    } else if ((here == '\\' && (next == ' ' || next == '#' || next == '\\')) ||
               (here == '$' && next == '$')) {
      word += next;
      ++at;
    } else if (std::isspace(static_cast<unsigned char>(here)) != 0) {
      end_word();
    } else {
      word += here;
    }
  }
  end_word();
  return files;
}

BuildRecord::BuildRecord(const fs::path& binary, std::vector<std::string> command,
                         const fs::path& folder, const std::vector<std::string>& flags)
    : binary_(fs::absolute(binary)),
      file_(binary_.string() + ".build"),
      command_(std::move(command)),
      folder_(folder.empty() ? fs::current_path() : fs::absolute(folder)),
      searched_(folders_in(flags)),
      possible_(why_refused(flags, folder_).empty() && !name_inputs(flags)) {}

fs::path BuildRecord::list_of_inputs() const {
  return binary_.string() + "." + std::to_string(getpid()) + ".d";
}

std::vector<std::string> BuildRecord::flags() const {
  if (!possible_) return {};
  return {"-MD", "-MF", list_of_inputs().string()};
}

// One line for each thing, what it is and how it was.
std::string BuildRecord::contents(const std::vector<std::string>& inputs) const {
  std::ostringstream text;
  text << first_line << "\nbinary " << stamp(binary_) << "\nfolder " << folder_.string() << '\n';
  for (const std::string& word : command_) text << "word " << word << '\n';
  for (const char* variable : variables) {
    const char* value = std::getenv(variable);
    text << "variable " << variable << ' ' << (value == nullptr ? "(unset)" : value) << '\n';
  }
  for (const std::string& tool : tools_of(command_)) {
    text << "tool " << tool << ' ' << stamp(tool) << '\n';
  }
  std::vector<std::string> folders = searched_;
  for (const std::string& input : inputs) {
    text << "input " << state_of(folder_ / input) << ' ' << input << '\n';
    if (!is_of_system(input)) folders.push_back(fs::path(input).parent_path().string());
  }
  std::sort(folders.begin(), folders.end());
  folders.erase(std::unique(folders.begin(), folders.end()), folders.end());
  for (const std::string& folder : folders) {
    text << "searched " << headers_in(folder_ / folder) << ' ' << folder << '\n';
  }
  return text.str();
}

bool BuildRecord::holds() const {
  std::error_code failure;
  if (!possible_ || !fs::is_regular_file(binary_, failure) || !fs::exists(file_, failure)) {
    return false;
  }
  if (!why_foreign(binary_).empty() || !why_foreign(file_).empty()) return false;
  try {
    const std::string kept = read_text(file_);
    std::vector<std::string> inputs;
    std::istringstream lines(kept);
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("input ")) continue;
      // The state of a file of the user is one word, that of a file of the system seven.
      const std::size_t path = line.find(" /usr/");
      inputs.push_back(path != std::string::npos ? line.substr(path + 1)
                                                 : line.substr(line.find(' ', 6) + 1));
    }
    return contents(inputs) == kept;
  } catch (const InputError&) {  // an input is gone
    return false;
  }
}

void BuildRecord::begin() {
  // Times of files are those of the last tick of a clock.
  begun_ = fs::file_time_type::clock::now() - std::chrono::milliseconds(10);
  std::error_code ignored;
  fs::remove(file_, ignored);
}

void BuildRecord::keep(bool silently) const {
  if (!possible_) return;
  std::error_code failure;
  try {
    const std::vector<std::string> inputs = prerequisites(read_text(list_of_inputs()));
    fs::remove(list_of_inputs(), failure);
    const bool settled = std::all_of(inputs.begin(), inputs.end(), [&](const std::string& input) {
      return input.find('\n') == std::string::npos && is_settled(folder_ / input, begun_);
    });
    if (silently && !inputs.empty() && settled) write_text(file_, contents(inputs));
  } catch (const InputError&) {  // then it will be compiled again
    fs::remove(list_of_inputs(), failure);
  }
}

}  // namespace mazurka::host
