#include "cluster/scripts.hpp"

namespace mazurka::cluster::scripts {

namespace {

// Whoever has not been heard of for 15 seconds does not count when work is divided.
const std::string beginning = R"lua(
local search = KEYS[1]
local tasks = search .. ':tasks'
local call = redis.call
local now = tonumber(call('TIME')[1])
local used = 0
local function argument() used = used + 1 return ARGV[used] end
local function state() return call('HGET', search, 'state') end
local function is_open() local is = state() return is == 'running' or is == 'stopped' end
local function slots() return call('ZCOUNT', 'mazurka:slots', now - 15, '+inf') end
local function waiting()
  return call('XLEN', tasks) - call('XPENDING', tasks, 'workers')[1]
end
local function alive(slot) call('ZADD', 'mazurka:slots', now, slot) end
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
local function take_back_budget(entry, spent)
  local budget = call('HGET', search .. ':budgets', entry)
  if not budget then return end
  call('HDEL', search .. ':budgets', entry)
  if call('HGET', search, 'left') ~= '' then
    call('HINCRBY', search, 'left', math.max(0, tonumber(budget) - spent))
  end
end
local function close(entry)
  call('XACK', tasks, 'workers', entry)
  call('XDEL', tasks, entry)
end
)lua";

const std::string results = R"lua(
local function open(rest, count, nonce)
  if count == 0 then return end
  local parts = math.max(1, math.min(count, 64, slots() - waiting() + 1))
  local number = call('HINCRBY', search, 'rests', 1)
  call('SET', search .. ':rest:' .. number, rest)
  call('HSET', search .. ':uses', number, parts)
  for part = 0, parts - 1 do
    call('XADD', tasks, '*', 'rest', number, 'part', part, 'parts', parts, 'nonce', nonce)
  end
end
local function add()
  call('HINCRBYFLOAT', search, 'explored', argument())
  for _ = 1, tonumber(argument()) do
    local name = argument()
    call('HINCRBY', search .. ':sums', name, argument())
  end
  for _ = 1, tonumber(argument()) do
    local name = argument()
    local value = argument()
    local known = call('HGET', search .. ':most', name)
    if not known or tonumber(value) > tonumber(known) then
      call('HSET', search .. ':most', name, value)
    end
  end
  for _ = 1, tonumber(argument()) do call('SADD', search .. ':facts', argument()) end
  for _ = 1, tonumber(argument()) do
    local key = argument()
    local rank = argument()
    local finding = argument()
    local known = call('HGET', search .. ':ranks', key)
    if not known or rank < known then
      call('HSET', search .. ':ranks', key, rank)
      call('HSET', search .. ':findings', key, finding)
    end
  end
end
)lua";

}  // namespace

const std::string put = beginning + results + R"lua(
local id = argument()
local name = argument()
local binary = argument()
local left = argument()
if state() then return 'there' end
if call('EXISTS', 'mazurka:binary:' .. binary) == 0 then return 'binary' end
call('SADD', 'mazurka:binary:' .. binary .. ':searches', id)
call('HSET', search, 'id', id, 'name', name, 'binary', binary, 'left', left, 'begun', now)
for _, field in ipairs({'about', 'request', 'libraries'}) do
  call('HSET', search, field, argument())
end
call('XGROUP', 'CREATE', tasks, 'workers', '0', 'MKSTREAM')
local rest = argument()
local count = tonumber(argument())
open(rest, count, argument())
add()
call('SET', 'mazurka:current:' .. name, id)
call('SADD', 'mazurka:searches', id)
call('HSET', search, 'state', 'running')
return 'put'
)lua";

const std::string take = beginning + R"lua(
local slot = argument()
local silence = argument()
alive(slot)
call('ZREMRANGEBYSCORE', 'mazurka:slots', '-inf', now - 3600)
if state() ~= 'running' then return slots() end
local left = call('HGET', search, 'left')
local function first_of(found) return found and found[1] and found[1][2][1] or nil end
-- One that was given to us before, and of which we have not heard; one of somebody who is silent;
-- a new one.
local found = first_of(call('XREADGROUP', 'GROUP', 'workers', slot, 'COUNT', 1, 'STREAMS', tasks, 0))
if not found then
  if left ~= '' and tonumber(left) <= 0 and call('HLEN', search .. ':budgets') == 0 then
    return slots()
  end
  local from = call('HGET', search, 'looked_at') or '0-0'
  local claimed = call('XAUTOCLAIM', tasks, 'workers', slot, silence, from, 'COUNT', 1)
  call('HSET', search, 'looked_at', claimed[1])
  found = claimed[2][1]
  if found then call('HINCRBY', search, 'taken_over', 1) end
end
if not found and (left == '' or tonumber(left) > 0) then
  found = first_of(call('XREADGROUP', 'GROUP', 'workers', slot, 'COUNT', 1, 'STREAMS', tasks, '>'))
end
if not found then return slots() end
local entry = found[1]
local fields = fields_of(entry)
local budget = 0
if left ~= '' then
  take_back_budget(entry, 0)
  left = tonumber(call('HGET', search, 'left'))
  budget = math.min(left, math.max(64, math.floor(left / (2 * math.max(1, slots())))))
  if budget <= 0 then
    call('XCLAIM', tasks, 'workers', slot, 0, entry, 'IDLE', 3600000, 'JUSTID')
    return slots()
  end
  call('HINCRBY', search, 'left', -budget)
  call('HSET', search .. ':budgets', entry, budget)
end
-- Not long while others have nothing to do; and the more there are, the longer, so that the server
-- keeps up with them (docs/scale.md).
local running = call('XPENDING', tasks, 'workers')[1]
local rest = call('GET', search .. ':rest:' .. fields.rest)
if not rest then return redis.error_reply('MAZURKA what a task names is not there') end
local hungry = 2 * waiting() < slots()
local slice = hungry and math.max(150, running / 2) or math.max(1000, running)
return {entry, fields.nonce, rest, fields.part, fields.parts, tostring(budget), tostring(math.floor(slice)), fields.losses or '0'}
)lua";

const std::string finish = beginning + results + R"lua(
local entry = argument()
local nonce = argument()
local slot = argument()
local worker = argument()
local spent = tonumber(argument())
local milliseconds = argument()
local decision = argument()
alive(slot)
if not is_open() and state() ~= 'over' then return 'gone' end
local fields = fields_of(entry)
if not fields or fields.nonce ~= nonce then return 'late' end
-- Where executions are limited, only who has the budget may spend it.
if call('HGET', search, 'left') ~= '' and holder_of(entry) ~= slot then return 'late' end
-- What is left is opened before the task is closed: should the server fail in between, something is
-- done twice, and nothing is lost.
take_back_budget(entry, spent)
call('HINCRBY', search .. ':effort', worker .. '|tasks', 1)
call('HINCRBY', search .. ':effort', worker .. '|executions', spent)
call('HINCRBY', search .. ':effort', worker .. '|milliseconds', milliseconds)
local rest = argument()
local count = tonumber(argument())
local new_nonce = argument()
add()
if decision ~= '' and call('HSETNX', search, 'decision', decision) == 1 then
  call('HSET', search, 'state', 'over')
end
if is_open() then open(rest, count, new_nonce) end
close(entry)
if call('HINCRBY', search .. ':uses', fields.rest, -1) <= 0 then
  call('HDEL', search .. ':uses', fields.rest)
  call('DEL', search .. ':rest:' .. fields.rest)
end
if is_open() and call('XLEN', tasks) == 0 then call('HSET', search, 'state', 'over') end
return 'counted'
)lua";

const std::string release = beginning + R"lua(
local entry = argument()
local nonce = argument()
local slot = argument()
local fields = is_open() and fields_of(entry) or nil
if not fields or fields.nonce ~= nonce or holder_of(entry) ~= slot then return 'late' end
close(entry)
take_back_budget(entry, 0)
local new_nonce = argument()
call('XADD', tasks, '*', 'rest', fields.rest, 'part', fields.part, 'parts', fields.parts, 'nonce',
     new_nonce, 'losses', tonumber(fields.losses or '0') + tonumber(argument()))
return 'released'
)lua";

const std::string beat = beginning + R"lua(
local slot = argument()
local entry = argument()
alive(slot)
local is = state()
if not is then return 'gone' end
if is ~= 'running' then return is end
if holder_of(entry) ~= slot then return 'lost' end
call('XCLAIM', tasks, 'workers', slot, 0, entry, 'JUSTID')
return is
)lua";

const std::string refuse = beginning + R"lua(
local worker = argument()
if is_open() then call('HSET', search .. ':refusals', worker, argument()) end
return state()
)lua";

const std::string stop = beginning + R"lua(
if state() == 'running' then call('HSET', search, 'state', 'stopped') end
return state()
)lua";

const std::string go_on = beginning + R"lua(
if is_open() then call('HSET', search, 'state', 'running', 'left', argument()) end
return state()
)lua";

const std::string remove = beginning + R"lua(
local id = call('HGET', search, 'id')
if not id then return 'gone' end
local name = call('HGET', search, 'name')
local binary = 'mazurka:binary:' .. call('HGET', search, 'binary')
for _, number in ipairs(call('HKEYS', search .. ':uses')) do
  call('DEL', search .. ':rest:' .. number)
end
for _, part in ipairs({':tasks', ':sums', ':most', ':facts', ':findings', ':ranks', ':uses',
                       ':budgets', ':effort', ':refusals'}) do
  call('DEL', search .. part)
end
call('DEL', search)
call('SREM', 'mazurka:searches', id)
call('SREM', binary .. ':searches', id)
if call('SCARD', binary .. ':searches') == 0 then call('DEL', binary) end
if call('GET', 'mazurka:current:' .. name) == id then call('DEL', 'mazurka:current:' .. name) end
-- Whoever watches it, too, learns what has become of it.
call('HSET', search, 'state', argument())
call('EXPIRE', search, 86400)
return 'removed'
)lua";

const std::string view = beginning + R"lua(
local is = state()
if not is then return false end
local fields = call('HMGET', search, 'id', 'about', 'left', 'explored', 'begun', 'taken_over')
if not fields[1] then return {is} end
local running = call('XPENDING', tasks, 'workers')[1]
return {is, fields[1], fields[2], fields[3] or '', fields[4] or '0', fields[5], fields[6] or '0',
        tostring(now), tostring(call('XLEN', tasks) - running), tostring(running),
        tostring(slots()), call('HGETALL', search .. ':sums'), call('HGETALL', search .. ':most'),
        call('SMEMBERS', search .. ':facts'), tostring(call('HLEN', search .. ':findings')),
        call('HGETALL', search .. ':effort'), call('HGETALL', search .. ':refusals')}
)lua";

}  // namespace mazurka::cluster::scripts
