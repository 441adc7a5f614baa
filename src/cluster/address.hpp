// Where a cluster's server is: redis://[user:password@]host[:port][/database]
#pragma once

#include <string>

namespace mazurka::cluster {

struct Address {
  std::string host;
  int port = 6379;
  std::string user;  // empty: the server's usual one
  std::string password;
  int database = 0;

  /// As the user wrote it, without the password.
  [[nodiscard]] std::string shown() const;
  friend bool operator==(const Address&, const Address&) = default;
};

/// Throws host::InputError. What is not in the text may be in the environment: a password that
/// stands there (MAZURKA_REDIS_PASSWORD) is not seen in the list of processes.
[[nodiscard]] Address parse_address(const std::string& text);

}  // namespace mazurka::cluster
