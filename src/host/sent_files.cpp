#include "host/sent_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "driver/certificate_file.hpp"
#include "driver/file_bytes.hpp"
#include "host/descriptor.hpp"
#include "host/files.hpp"

namespace mazurka::host {

namespace {

enum class FileKind : std::uint8_t { exploration, task_log, certificate };
constexpr std::size_t file_kinds = 3;
enum class FilePart : std::uint8_t { piece, end };
constexpr std::size_t file_head = 2;  // kind and part
constexpr std::size_t largest_piece = std::size_t{1} << 20U;

const std::string& name_of(const Request& request, FileKind kind) {
  switch (kind) {
    case FileKind::task_log: return request.task_log;
    case FileKind::certificate: return request.certificate;
    case FileKind::exploration: break;
  }
  return request.save_file;
}

class SentFile final : public NewFile {
 public:
  SentFile(int line, FileKind kind) : line_(line), kind_(kind) {}

  void write(std::span<const std::byte> bytes) override {
    MAZURKA_CHECK(line_ >= 0, "there is a line to the front process");
    while (!bytes.empty()) {
      const std::size_t size = std::min(bytes.size(), largest_piece);
      send(FilePart::piece, bytes.first(size));
      bytes = bytes.subspan(size);
    }
  }

  int end() override {
    send(FilePart::end, {});
    if (failure_ != 0) return failure_;
    const auto answer = receive_message(line_);
    if (!answer || answer->size() != sizeof(int)) return EPIPE;
    std::memcpy(&failure_, answer->data(), sizeof failure_);
    return failure_;
  }

 private:
  void send(FilePart part, std::span<const std::byte> bytes) {
    if (failure_ != 0) return;
    std::vector<std::byte> message{static_cast<std::byte>(kind_), static_cast<std::byte>(part)};
    message.insert(message.end(), bytes.begin(), bytes.end());
    if (!send_message(line_, message)) failure_ = errno;
  }

  int line_;
  FileKind kind_;
  int failure_ = 0;
};

/// A file of the user's choice, which may be a device or a pipe, too.
class OverwrittenFile final : public NewFile {
 public:
  explicit OverwrittenFile(const std::string& name)
      : file_(open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)),
        failure_(file_.get() < 0 ? errno : 0) {}

  void write(std::span<const std::byte> bytes) override {
    if (failure_ == 0 && !write_bytes(file_.get(), bytes)) failure_ = errno;
  }
  int end() override { return failure_; }

 private:
  Descriptor file_;
  int failure_;
};

}  // namespace

MakeFile files_sent_over(int line, const Request& request) {
  if (line < 0) return new_file;
  return
      [line, log = request.task_log, certificate = request.certificate](const std::string& name) {
        const FileKind kind = name == log           ? FileKind::task_log
                              : name == certificate ? FileKind::certificate
                                                    : FileKind::exploration;
        return std::make_unique<SentFile>(line, kind);
      };
}

void begin_certificate(const Request& request) {
  if (request.certificate.empty()) return;
  certificate::Writer writer(request.technique, "sc");
  writer.incomplete("the search did not come to its end");
  const std::string bytes = writer.finish();
  OverwrittenFile file(request.certificate);
  file.write(std::as_bytes(std::span(bytes)));
  if (const int failure = file.end(); failure != 0) {
    throw InputError("the certificate can not be written to " + request.certificate +
                     " (--certificate): " + std::strerror(failure));
  }
}

bool sends_files(const Request& request) {
  return !request.save_file.empty() || !request.task_log.empty() || !request.certificate.empty();
}

bool ReceivedFiles::receive(int line) {
  const auto message = receive_message(line);
  if (!message || message->size() < file_head) return false;
  const auto kind = static_cast<FileKind>((*message)[0]);
  if (static_cast<std::size_t>(kind) >= file_kinds) return false;
  const std::string& name = name_of(request_, kind);
  if (name.empty()) return false;
  std::unique_ptr<NewFile>& file = files_[static_cast<std::size_t>(kind)];
  if (file == nullptr && kind == FileKind::exploration) file = new_file(name);
  if (file == nullptr) file = std::make_unique<OverwrittenFile>(name);
  if (static_cast<FilePart>((*message)[1]) == FilePart::piece) {
    file->write(std::span(*message).subspan(file_head));
    return true;
  }
  const int failure = std::exchange(file, nullptr)->end();
  return send_message(line, std::as_bytes(std::span(&failure, 1)));
}

}  // namespace mazurka::host
