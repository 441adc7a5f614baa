#include "cluster/ending.hpp"

#include "cluster/numbers.hpp"
#include "core/check.hpp"
#include "driver/explored.hpp"
#include "host/wire.hpp"

namespace mazurka::cluster {

using host::LaunchResult;
using host::Reply;

bool decides(const LaunchResult& result) {
  const Reply& reply = result.reply;
  if (result.fate != host::Fate::replied) return true;
  if (!reply.error.empty() || !reply.divergence.empty() || reply.must_begin_anew) return true;
  if (reply.complete) return false;
  return result.by_memory || !could_go_on(reply.stopped);
}

std::string ending_text(const LaunchResult& result) {
  MAZURKA_CHECK(decides(result) || result.reply.stopped == Stop::rest_lost,
                "only what decides the search ends it");
  Reply reply = result.reply;
  reply.findings.clear();
  reply.tree = {};
  reply.profile = {};
  reply.modules.clear();
  std::vector<std::byte> bytes;
  ArchiveWriter archive(bytes);
  archive(result.fate, result.signal, result.exit_code, result.schedule, result.by_memory,
          to_text(encode(reply)));
  return to_text(bytes);
}

LaunchResult ending_from_text(const std::string& text) {
  LaunchResult result;
  std::string reply;
  const std::vector<std::byte> bytes = to_bytes(text);
  ArchiveReader archive(bytes);
  archive(result.fate, result.signal, result.exit_code, result.schedule, result.by_memory, reply);
  archive.expect_end();
  result.reply = host::decode_reply(to_bytes(reply));
  return result;
}

}  // namespace mazurka::cluster
