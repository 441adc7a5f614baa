#include "cluster/scripts.hpp"

namespace mazurka::cluster::scripts {

namespace {

// Whoever has not been heard of for 15 seconds does not count when work is divided.
const std::string vocabulary = R"lua(
local search = KEYS[1]
local tasks = search .. ':tasks'
local call = redis.call
local now = tonumber(call('TIME')[1])
local used = 0
local function argument() used = used + 1 return ARGV[used] end
local function state() return call('HGET', search, 'state') end
local function is_open() local is = state() return is == 'running' or is == 'stopped' end
local function slots() return call('ZCOUNT', 'mazurka:slots', now - 15, '+inf') end
local function running() return call('XPENDING', tasks, 'workers')[1] end
local function waiting() return call('XLEN', tasks) - running() end
local function alive(slot) call('ZADD', 'mazurka:slots', now, slot) end
local function rest_key(number) return search .. ':rest:' .. number end
local function binary_key(name) return 'mazurka:binary:' .. name end
local function fields_of(entry)
  local found = call('XRANGE', tasks, entry, entry)
  if #found == 0 then return nil end
  local fields = {}
  for at = 1, #found[1][2], 2 do fields[found[1][2][at]] = found[1][2][at + 1] end
  return fields
end
local function holder_of(entry)
  local found = call('XPENDING', tasks, 'workers', entry, entry, 1)
  return #found > 0 and found[1][2] or nil
end
-- Executions that may be begun and that nobody has been given; nil: there is no limit.
local function left()
  local counts = call('HMGET', search, 'limit', 'spent', 'lent')
  if counts[1] == '' then return nil end
  return counts[1] - counts[2] - counts[3]
end
local function take_back_budget(entry)
  local budget = call('HGET', search, 'budget:' .. entry)
  if not budget then return end
  call('HDEL', search, 'budget:' .. entry)
  call('HINCRBY', search, 'lent', -budget)
end
local function add_task(rest, part, parts, nonce, losses)
  call('XADD', tasks, 'NOMKSTREAM', '*', 'rest', rest, 'part', part, 'parts', parts,
       'nonce', nonce, 'losses', losses)
  call('HINCRBY', search, 'open', 1)
end
local function close(entry)
  call('XACK', tasks, 'workers', entry)
  call('XDEL', tasks, entry)
  call('HINCRBY', search, 'open', -1)
end
local function put_back(entry, fields, nonce, losses)
  close(entry)
  take_back_budget(entry)
  add_task(fields.rest, fields.part, fields.parts, nonce, losses)
end
-- The key without which nothing can be said of the search; nil: all are there.
local function gone()
  local kept = call('HMGET', search, 'id', 'lost', 'fields', 'open', 'binary')
  if not kept[1] then return call('EXISTS', tasks) == 1 and search or nil end
  if kept[2] then return kept[2] end
  if tonumber(kept[3]) ~= call('HLEN', search) then return search end
  if call('EXISTS', tasks) == 0 or call('XLEN', tasks) ~= tonumber(kept[4]) then return tasks end
  if call('EXISTS', binary_key(kept[5])) == 0 then return binary_key(kept[5]) end
  return nil
end
local function lost(key) return redis.error_reply('LOST ' .. key) end
local function seal()
  local fields = call('HGET', search, 'fields')
  if not fields then return end
  local count = call('HLEN', search)
  if tonumber(fields) ~= count then call('HSET', search, 'fields', count) end
end
)lua";

const std::string results = R"lua(
local function open(rest, count, nonce)
  if count == 0 then return end
  local parts = math.max(1, math.min(count, 64, slots() - waiting() + 1))
  local number = call('HINCRBY', search, 'rests', 1)
  call('SET', rest_key(number), rest)
  call('HSET', search, 'uses:' .. number, parts)
  for part = 0, parts - 1 do add_task(number, part, parts, nonce, 0) end
end
local function add()
  call('HINCRBYFLOAT', search, 'explored', argument())
  for _ = 1, tonumber(argument()) do
    local name = argument()
    call('HINCRBY', search, 'sum:' .. name, argument())
  end
  for _ = 1, tonumber(argument()) do
    local name = argument()
    local value = argument()
    local known = call('HGET', search, 'most:' .. name)
    if not known or tonumber(value) > tonumber(known) then
      call('HSET', search, 'most:' .. name, value)
    end
  end
  for _ = 1, tonumber(argument()) do call('HSET', search, 'fact:' .. argument(), '') end
  for _ = 1, tonumber(argument()) do
    local key = argument()
    local rank = argument()
    local finding = argument()
    local known = call('HGET', search, 'rank:' .. key)
    if not known or rank < known then
      call('HSET', search, 'rank:' .. key, rank, 'finding:' .. key, finding)
    end
  end
end
)lua";

/// Does nothing to a search of which something is gone.
std::string of_search(const std::string& act) {
  return vocabulary + results + "local function act()\n" + act + R"lua(
end
local key = gone()
if key then return lost(key) end
local answer = act()
seal()
return answer
)lua";
}

}  // namespace

const std::string put = of_search(R"lua(
local id = argument()
local name = argument()
local binary = argument()
local limit = argument()
if state() then return 'there' end
if call('EXISTS', binary_key(binary)) == 0 then return 'binary' end
call('SADD', binary_key(binary) .. ':searches', id)
call('HSET', search, 'id', id, 'name', name, 'binary', binary, 'limit', limit, 'begun', now,
     'spent', 0, 'lent', 0, 'open', 0, 'rests', 0, 'fields', 0)
for _, field in ipairs({'about', 'request', 'libraries'}) do
  call('HSET', search, field, argument())
end
call('XGROUP', 'CREATE', tasks, 'workers', '0', 'MKSTREAM')
call('HINCRBY', search, 'spent', argument())
local rest = argument()
local count = tonumber(argument())
open(rest, count, argument())
add()
call('SET', 'mazurka:current:' .. name, id)
call('SADD', 'mazurka:searches', id)
call('HSET', search, 'state', 'running')
return 'put'
)lua");

const std::string take = of_search(R"lua(
local slot = argument()
local silence = argument()
alive(slot)
call('ZREMRANGEBYSCORE', 'mazurka:slots', '-inf', now - 3600)
if state() ~= 'running' then return slots() end
local function first_of(found) return found and found[1] and found[1][2][1] or nil end
-- One that was given to us before, and of which we have not heard; one of somebody who is silent;
-- a new one.
local found = first_of(call('XREADGROUP', 'GROUP', 'workers', slot, 'COUNT', 1, 'STREAMS', tasks, 0))
local spare = left()
if not found then
  if spare and spare <= 0 and running() == 0 then return slots() end
  local from = call('HGET', search, 'looked_at') or '0-0'
  local claimed = call('XAUTOCLAIM', tasks, 'workers', slot, silence, from, 'COUNT', 1)
  call('HSET', search, 'looked_at', claimed[1])
  found = claimed[2][1]
  if found then call('HINCRBY', search, 'taken_over', 1) end
end
if not found and (not spare or spare > 0) then
  found = first_of(call('XREADGROUP', 'GROUP', 'workers', slot, 'COUNT', 1, 'STREAMS', tasks, '>'))
end
if not found then return slots() end
local entry = found[1]
local fields = fields_of(entry)
local rest = call('GET', rest_key(fields.rest))
if not rest then
  call('HSET', search, 'lost', rest_key(fields.rest))
  return lost(rest_key(fields.rest))
end
local budget = 0
take_back_budget(entry)
spare = left()
if spare then
  budget = math.min(spare, math.max(64, math.floor(spare / (2 * math.max(1, slots())))))
  if budget <= 0 then
    put_back(entry, fields, fields.nonce, fields.losses)
    return slots()
  end
  call('HINCRBY', search, 'lent', budget)
  call('HSET', search, 'budget:' .. entry, budget)
end
-- Not long while others have nothing to do; and the more there are, the longer, so that the server
-- keeps up with them (docs/scale.md).
local at_work = running()
local hungry = 2 * waiting() < slots()
local slice = hungry and math.max(150, at_work / 2) or math.max(1000, at_work)
return {entry, fields.nonce, rest, fields.part, fields.parts, tostring(budget),
        tostring(math.floor(slice)), fields.losses}
)lua");

const std::string finish = of_search(R"lua(
local entry = argument()
local nonce = argument()
local slot = argument()
local worker = argument()
local milliseconds = argument()
local decision = argument()
local spent = argument()
alive(slot)
if not is_open() and state() ~= 'over' then return 'gone' end
local fields = fields_of(entry)
if not fields or fields.nonce ~= nonce then return 'late' end
-- Where executions are limited, only who has the budget may spend it.
if left() and
   (holder_of(entry) ~= slot or call('HEXISTS', search, 'budget:' .. entry) == 0) then
  return 'late'
end
take_back_budget(entry)
call('HINCRBY', search, 'spent', spent)
local effort = 'effort:' .. worker .. '|'
call('HINCRBY', search, effort .. 'tasks', 1)
call('HINCRBY', search, effort .. 'executions', spent)
call('HINCRBY', search, effort .. 'milliseconds', milliseconds)
local rest = argument()
local count = tonumber(argument())
local new_nonce = argument()
add()
if decision ~= '' and call('HSETNX', search, 'decision', decision) == 1 then
  call('HSET', search, 'state', 'over')
end
if is_open() then open(rest, count, new_nonce) end
close(entry)
if call('HINCRBY', search, 'uses:' .. fields.rest, -1) <= 0 then
  call('HDEL', search, 'uses:' .. fields.rest)
  call('DEL', rest_key(fields.rest))
end
if is_open() and call('XLEN', tasks) == 0 then call('HSET', search, 'state', 'over') end
return 'counted'
)lua");

const std::string release = of_search(R"lua(
local entry = argument()
local nonce = argument()
local slot = argument()
local fields = is_open() and fields_of(entry) or nil
if not fields or fields.nonce ~= nonce or holder_of(entry) ~= slot then return 'late' end
local new_nonce = argument()
put_back(entry, fields, new_nonce, fields.losses + argument())
return 'released'
)lua");

const std::string beat = of_search(R"lua(
local slot = argument()
local entry = argument()
alive(slot)
local is = state()
if not is then return 'gone' end
if is ~= 'running' then return is end
if holder_of(entry) ~= slot then return 'lost' end
call('XCLAIM', tasks, 'workers', slot, 0, entry, 'JUSTID')
return is
)lua");

const std::string refuse = of_search(R"lua(
local worker = argument()
if is_open() then call('HSET', search, 'refusal:' .. worker, argument()) end
return state()
)lua");

const std::string stop = of_search(R"lua(
if state() == 'running' then call('HSET', search, 'state', 'stopped') end
return state()
)lua");

const std::string go_on = of_search(R"lua(
if is_open() then call('HSET', search, 'state', 'running', 'limit', argument()) end
return state()
)lua");

const std::string remove = vocabulary + R"lua(
local id = argument()
local kept = call('HMGET', search, 'id', 'name', 'binary')
local there = kept[1] or call('EXISTS', tasks) == 1
if not there then return 'gone' end
for _, field in ipairs(call('HKEYS', search)) do
  local number = string.match(field, '^uses:(%d+)$')
  if number then call('DEL', rest_key(number)) end
end
call('DEL', search, tasks)
call('SREM', 'mazurka:searches', id)
if kept[3] then
  local users = binary_key(kept[3]) .. ':searches'
  call('SREM', users, id)
  for _, user in ipairs(call('SMEMBERS', users)) do
    if call('HEXISTS', 'mazurka:' .. user, 'id') == 0 then call('SREM', users, user) end
  end
  if call('SCARD', users) == 0 then call('DEL', binary_key(kept[3])) end
end
local current = kept[2] and 'mazurka:current:' .. kept[2]
if current and call('GET', current) == id then call('DEL', current) end
-- Whoever watches it, too, learns what has become of it.
call('HSET', search, 'state', argument())
call('EXPIRE', search, 86400)
return 'removed'
)lua";

const std::string view = of_search(R"lua(
local whole = argument() == 'whole'
local is = state()
if not is then return false end
local kept = call('HMGET', search, 'id', 'about', 'explored', 'begun', 'taken_over', 'lent',
                  'decision', 'name', 'binary')
if not kept[1] then return {is} end
-- What only leads to the search is made again.
local function is_in(set)
  if call('SISMEMBER', set, kept[1]) == 0 then call('SADD', set, kept[1]) end
end
is_in('mazurka:searches')
is_in(binary_key(kept[9]) .. ':searches')
call('SETNX', 'mazurka:current:' .. kept[8], kept[1])
local parts = {sum = {}, most = {}, fact = {}, rank = {}, finding = {}, effort = {}, refusal = {}}
local all = call('HGETALL', search)
for at = 1, #all, 2 do
  local kind, name = string.match(all[at], '^(%l+):(.*)$')
  local part = kind and parts[kind]
  if part then
    part[#part + 1] = name
    part[#part + 1] = (kind ~= 'finding' or whole) and all[at + 1] or ''
  end
end
local spare = left()
return {is, kept[1], kept[2], spare and tostring(spare) or '', kept[3] or '0', kept[4],
        kept[5] or '0', tostring(now), tostring(waiting()), tostring(running()),
        tostring(slots()), kept[6], kept[7], parts.sum, parts.most, parts.fact, parts.rank,
        parts.finding, parts.effort, parts.refusal}
)lua");

}  // namespace mazurka::cluster::scripts
