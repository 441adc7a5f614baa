#include "cluster/address.hpp"

#include <cctype>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "host/files.hpp"

namespace mazurka::cluster {

namespace {

constexpr std::string_view scheme = "redis://";

[[noreturn]] void refuse(const std::string& why) {
  throw host::InputError("the address of the cluster is wrong: " + why +
                         "; it is redis://[user:password@]host[:port][/database]");
}

int number_from(std::string_view text, int least, int most, const char* what) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < least || number > most) {
    refuse("'" + std::string(text) + "' is no " + what);
  }
  return number;
}

/// Signs that mean something in an address are written as %40.
std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      out += text[at];
      continue;
    }
    unsigned sign = 0;
    const std::string_view digits = text.substr(at + 1, 2);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), sign, 16);
    if (error != std::errc() || end != digits.data() + 2) refuse("% wants two hexadecimal digits");
    out += static_cast<char>(sign);
    at += 2;
  }
  return out;
}

void take_credentials(std::string_view text, Address& address) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    address.user = decoded(text);
    return;
  }
  address.user = decoded(text.substr(0, colon));
  address.password = decoded(text.substr(colon + 1));
}

/// host, host:port, [::1]:port
void take_place(std::string_view text, Address& address) {
  std::size_t end = text.find(':');
  if (text.starts_with('[')) {
    const std::size_t bracket = text.find(']');
    if (bracket == std::string_view::npos) refuse("] is missing");
    address.host = text.substr(1, bracket - 1);
    end = bracket + 1;
    if (end < text.size() && text[end] != ':') refuse("a port begins with a colon");
  } else {
    address.host = text.substr(0, end);
  }
  if (address.host.empty()) refuse("it has no host");
  if (end < text.size()) address.port = number_from(text.substr(end + 1), 1, 65535, "port");
}

}  // namespace

std::string Address::shown() const {
  const bool numeric6 = host.find(':') != std::string::npos;
  std::string text(scheme);
  if (!user.empty()) text += user + "@";
  text += numeric6 ? "[" + host + "]" : host;
  text += ":" + std::to_string(port);
  return database == 0 ? text : text + "/" + std::to_string(database);
}

Address parse_address(const std::string& text) {
  std::string_view rest = text;
  if (!rest.starts_with(scheme)) refuse("it does not begin with redis://");
  rest.remove_prefix(scheme.size());
  Address address;
  if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos) {
    take_credentials(rest.substr(0, at), address);
    rest.remove_prefix(at + 1);
  }
  if (const std::size_t slash = rest.find('/'); slash != std::string_view::npos) {
    const std::string_view database = rest.substr(slash + 1);
    if (!database.empty()) address.database = number_from(database, 0, 1'000'000, "database");
    rest = rest.substr(0, slash);
  }
  take_place(rest, address);
  const char* secret = std::getenv("MAZURKA_REDIS_PASSWORD");
  if (address.password.empty() && secret != nullptr) address.password = secret;
  return address;
}

}  // namespace mazurka::cluster
