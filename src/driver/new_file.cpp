#include "driver/new_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "core/check.hpp"
#include "driver/file_bytes.hpp"

namespace mazurka {

namespace {

/// A file that was not there before: whatever has the name is removed, not written to.
class NamedFile final : public NewFile {
 public:
  explicit NamedFile(const std::string& name) : name_(name), fresh_(name + ".new") {
    unlink(fresh_.c_str());
    number_ = open(fresh_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (number_ < 0) failure_ = errno;
  }
  ~NamedFile() override {
    if (number_ < 0) return;
    close(number_);
    unlink(fresh_.c_str());
  }

  void write(std::span<const std::byte> bytes) override {
    if (failure_ == 0 && !write_bytes(number_, bytes)) failure_ = errno;
  }

  int end() override {
    MAZURKA_CHECK(number_ >= 0 || failure_ != 0, "a file comes to its end once");
    const int number = std::exchange(number_, -1);
    if (number >= 0 && close(number) != 0 && failure_ == 0) failure_ = errno;
    if (failure_ == 0 && std::rename(fresh_.c_str(), name_.c_str()) != 0) failure_ = errno;
    if (failure_ != 0) unlink(fresh_.c_str());
    return failure_;
  }

 private:
  std::string name_;
  std::string fresh_;
  int number_ = -1;
  int failure_ = 0;
};

}  // namespace

std::unique_ptr<NewFile> new_file(const std::string& name) {
  return std::make_unique<NamedFile>(name);
}

}  // namespace mazurka
