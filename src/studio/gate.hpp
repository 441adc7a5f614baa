// Who may ask: only a page of the studio itself, opened with the address that was printed.
//
// The address holds a random token. A page of another site does not know it, and a browser tells of
// such a page: by Origin, by Sec-Fetch-Site, and, if the other site has made its name mean this
// machine, by Host.
#pragma once

#include <string>
#include <string_view>

namespace mazurka::studio {

/// What of a request says where it comes from. Empty: the header is missing.
struct Asked {
  std::string method;
  std::string path;
  std::string host;
  std::string origin;
  std::string site;  // Sec-Fetch-Site
  std::string content_type;
};

class Gate {
 public:
  /// With a new token.
  explicit Gate(int port);

  [[nodiscard]] const std::string& token() const { return token_; }
  [[nodiscard]] std::string address() const;
  /// Why the request is refused; empty: it is not.
  [[nodiscard]] std::string refusal(const Asked& asked) const;

 private:
  [[nodiscard]] bool is_own_host(std::string_view host) const;
  [[nodiscard]] bool has_token(std::string_view path) const;

  std::string port_;
  std::string token_;
};

}  // namespace mazurka::studio
