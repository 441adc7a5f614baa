#include "studio/gate.hpp"

#include <sys/random.h>

#include <array>
#include <cstdint>
#include <stdexcept>

namespace mazurka::studio {

namespace {

std::string random_token() {
  std::array<unsigned char, 24> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw std::runtime_error("there are no random numbers for the address");
  }
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string token;
  for (const unsigned char byte : bytes) {
    token += digits[byte >> 4U];
    token += digits[byte & 15U];
  }
  return token;
}

}  // namespace

Gate::Gate(int port) : port_(std::to_string(port)), token_(random_token()) {}

std::string Gate::address() const { return "http://127.0.0.1:" + port_ + "/" + token_ + "/"; }

bool Gate::is_own_host(std::string_view host) const {
  return host == "127.0.0.1:" + port_ || host == "localhost:" + port_;
}

/// Takes as long for every wrong one.
bool Gate::has_token(std::string_view path) const {
  if (path.size() < token_.size() + 2 || path.front() != '/') return false;
  unsigned difference = 0;
  for (std::size_t at = 0; at < token_.size(); ++at) {
    difference |= static_cast<unsigned char>(path[at + 1]) ^ static_cast<unsigned char>(token_[at]);
  }
  return difference == 0 && path[token_.size() + 1] == '/';
}

std::string Gate::refusal(const Asked& asked) const {
  if (!is_own_host(asked.host)) return "the request is for another host";
  if (!has_token(asked.path)) return "the address is not the one that was printed";
  if (!asked.origin.empty() && asked.origin != "http://" + asked.host) {
    return "the request comes from another site";
  }
  if (!asked.site.empty() && asked.site != "same-origin" && asked.site != "none") {
    return "the request comes from another site";
  }
  if (asked.method == "GET" || asked.method == "HEAD") return {};
  if (asked.method != "POST") return "only GET and POST are understood";
  // A form of another site can not send this without being asked for permission first.
  return asked.content_type == "application/json" ? "" : "expected application/json";
}

}  // namespace mazurka::studio
