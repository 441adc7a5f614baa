// Waits and tests.
#include "programs/mpi/runtime/hooks/mpi_hook.hpp"

using mazurka::mpi::Asked;
using Answers = mazurka::mpi::Checks::Answers;
using mazurka::mpi::check_statuses;
using mazurka::mpi::Completion;
using mazurka::mpi::fill;
using mazurka::mpi::fill_empty;
using mazurka::mpi::handles;
using mazurka::mpi::Mpi;
using mazurka::mpi::Result;

namespace {

MPI_Status* at(MPI_Status* statuses, int place) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + place;
}

/// A status for each handle, in order; results are put where the statuses will be.
int wait_all(Mpi& mpi, const char* call, Answers answers, int count, MPI_Request* requests,
             MPI_Status* statuses) {
  if (const int code = check_statuses(mpi, call, count, statuses); code != 0) return code;
  for (int place = 0; place < count; ++place) fill_empty(at(statuses, place));
  return mpi.requests.wait_all(call, handles(count, requests), answers,
                               [&](std::size_t place, const Result& result) {
                                 fill(at(statuses, static_cast<int>(place)), result);
                               });
}

/// What Waitsome and Testsome answer.
void answer_some(const Asked& asked, int* completed, int* indices, MPI_Status* statuses) {
  *completed = asked.nothing ? MPI_UNDEFINED : static_cast<int>(asked.done.size());
  for (std::size_t nth = 0; nth < asked.done.size(); ++nth) {
    indices[nth] = asked.done[nth];
    fill(at(statuses, static_cast<int>(nth)), asked.results[nth]);
  }
}

}  // namespace

MAZURKA_MPI_HOOK(int, Wait, MPI_Request* request, MPI_Status* status) {
  MAZURKA_ENTER(Wait);
  return wait_all(mpi, call, Answers::status, 1, request, status);
}
MAZURKA_MPI_HOOK(int, Waitall, int count, MPI_Request requests[], MPI_Status statuses[]) {
  MAZURKA_ENTER(Waitall);
  return wait_all(mpi, call, Answers::statuses, count, requests, statuses);
}
MAZURKA_MPI_HOOK(int, Waitany, int count, MPI_Request requests[], int* index, MPI_Status* status) {
  MAZURKA_ENTER(Waitany);
  if (const int code = check_statuses(mpi, call, 1, status); code != 0) return code;
  Result result;
  const int code = mpi.requests.wait_any(call, handles(count, requests), index, &result);
  fill(status, result);
  return code;
}
MAZURKA_MPI_HOOK(int, Waitsome, int count, MPI_Request requests[], int* completed, int indices[],
                 MPI_Status statuses[]) {
  MAZURKA_ENTER(Waitsome);
  if (const int code = check_statuses(mpi, call, count, statuses); code != 0) return code;
  const int code = mpi.requests.wait_some(call, handles(count, requests));
  answer_some(mpi.requests.asked(), completed, indices, statuses);
  return code;
}
MAZURKA_MPI_SITE_HOOK(int, Test, MPI_Request* request, int* flag, MPI_Status* status) {
  MAZURKA_ENTER_SITE(Test);
  if (const int code = check_statuses(mpi, call, 1, status); code != 0) return code;
  const int code =
      mpi.requests.test(call, handles(1, request), Completion::Asks::all, Answers::status);
  const Asked& asked = mpi.requests.asked();
  *flag = asked.nothing || !asked.done.empty() ? 1 : 0;
  if (asked.nothing) fill_empty(status);
  if (!asked.done.empty()) fill(status, asked.results.front());
  return code;
}
MAZURKA_MPI_SITE_HOOK(int, Testany, int count, MPI_Request requests[], int* index, int* flag,
                      MPI_Status* status) {
  MAZURKA_ENTER_SITE(Testany);
  if (const int code = check_statuses(mpi, call, 1, status); code != 0) return code;
  const int code =
      mpi.requests.test(call, handles(count, requests), Completion::Asks::one, Answers::status);
  const Asked& asked = mpi.requests.asked();
  *flag = asked.nothing || !asked.done.empty() ? 1 : 0;
  *index = asked.done.empty() ? MPI_UNDEFINED : asked.done.front();
  if (asked.nothing) fill_empty(status);
  if (!asked.done.empty()) fill(status, asked.results.front());
  return code;
}
MAZURKA_MPI_SITE_HOOK(int, Testall, int count, MPI_Request requests[], int* flag,
                      MPI_Status statuses[]) {
  MAZURKA_ENTER_SITE(Testall);
  if (const int code = check_statuses(mpi, call, count, statuses); code != 0) return code;
  const int code =
      mpi.requests.test(call, handles(count, requests), Completion::Asks::all, Answers::statuses);
  const Asked& asked = mpi.requests.asked();
  *flag = asked.nothing || !asked.done.empty() ? 1 : 0;
  if (*flag == 0) return code;
  for (int place = 0; place < count; ++place) fill_empty(at(statuses, place));
  for (std::size_t nth = 0; nth < asked.done.size(); ++nth) {
    fill(at(statuses, asked.done[nth]), asked.results[nth]);
  }
  return code;
}
MAZURKA_MPI_SITE_HOOK(int, Testsome, int count, MPI_Request requests[], int* completed,
                      int indices[], MPI_Status statuses[]) {
  MAZURKA_ENTER_SITE(Testsome);
  if (const int code = check_statuses(mpi, call, count, statuses); code != 0) return code;
  const int code =
      mpi.requests.test(call, handles(count, requests), Completion::Asks::some, Answers::statuses);
  answer_some(mpi.requests.asked(), completed, indices, statuses);
  return code;
}
MAZURKA_MPI_SITE_HOOK(int, Request_get_status, MPI_Request request, int* flag, MPI_Status* status) {
  MAZURKA_ENTER_SITE(Request_get_status);
  if (const int code = check_statuses(mpi, call, 1, status); code != 0) return code;
  Result ending;
  bool done = false;
  const int code = mpi.requests.look_at(call, mazurka::mpi::number(request), &done, &ending);
  *flag = done ? 1 : 0;
  if (done) fill(status, ending);
  return code;
}
MAZURKA_MPI_HOOK(int, Request_free, MPI_Request* request) {
  MAZURKA_ENTER(Request_free);
  return mpi.requests.release(call, reinterpret_cast<std::uint64_t*>(request));
}
MAZURKA_MPI_HOOK(int, Cancel, MPI_Request* request) {
  MAZURKA_ENTER(Cancel);
  return mpi.requests.cancel(call, mazurka::mpi::number(*request));
}
