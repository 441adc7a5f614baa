#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <mazurka/mazurka.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static const char* wanted;
static const struct timespec later = {2000000000, 0};
static const struct timespec limit = {1, 0};

static void fail(const char* text) { __assert_fail(text, text, 0, "fail"); }
static void report(const char* text) {
  if (wanted == NULL || strcmp(text, wanted) == 0) fail(text);
}

#define PUT8(v) ((uint64_t)(v) * 0x100000001)
#define PUT16(v) ((unsigned __int128)(v) << 64 | (unsigned __int128)(v))
static unsigned get8(uint64_t v) {
  if ((unsigned)(v >> 32) != (unsigned)v) fail("torn");
  return (unsigned)v;
}
static unsigned get16(unsigned __int128 v) {
  if ((unsigned)(v >> 64) != (unsigned)v) fail("torn");
  return (unsigned)v;
}

// ---- program 0: storing_loops ----

static _Atomic unsigned __int128 p0_x0 = PUT16(0);
static _Atomic uint64_t p0_x1 = PUT8(0);
static _Atomic unsigned __int128 p0_x2 = PUT16(0);
static unsigned p0_res[3];
static pthread_t p0_h1;
static pthread_t p0_h2;
static void* p0_f2(void* unused) {
  unsigned a = 0;
  atomic_store(&p0_x1, PUT8(1));
  p0_res[2] = a;
  return unused;
}
static void* p0_f1(void* unused) {
  unsigned a = 0;
  atomic_store(&p0_x0, PUT16(1));
  while (get16(atomic_load(&p0_x0)) != 2) {
    atomic_store(&p0_x1, PUT8(2));
  }
  atomic_store(&p0_x1, PUT8(1));
  p0_res[1] = a;
  return unused;
}
static void p0_main(void) {
  unsigned a = 0;
  pthread_create(&p0_h1, NULL, p0_f1, NULL);
  pthread_create(&p0_h2, NULL, p0_f2, NULL);
  pthread_join(p0_h2, NULL);
  pthread_join(p0_h1, NULL);
  {
    char text[200];
    snprintf(text, sizeof text, "F %u %u %u / %u %u %u", a, p0_res[1], p0_res[2], (unsigned)get16(atomic_load(&p0_x0)), (unsigned)get8(atomic_load(&p0_x1)), (unsigned)get16(atomic_load(&p0_x2)));
    report(text);
  }
}

// ---- program 1: storing_loops ----

static _Atomic uint32_t p1_x0 = (uint32_t)(0);
static _Atomic unsigned __int128 p1_x1 = PUT16(1);
static _Atomic unsigned __int128 p1_x2 = PUT16(0);
static unsigned p1_res[4];
static pthread_t p1_h1;
static pthread_t p1_h2;
static pthread_t p1_h3;
static void* p1_f3(void* unused) {
  unsigned a = 0;
  atomic_store(&p1_x1, PUT16(1));
  p1_res[3] = a;
  return unused;
}
static void* p1_f2(void* unused) {
  unsigned a = 0;
  while (get16(atomic_load(&p1_x1)) != 2) {
    atomic_store(&p1_x0, (uint32_t)(2));
  }
  atomic_store(&p1_x1, PUT16(2));
  p1_res[2] = a;
  return unused;
}
static void* p1_f1(void* unused) {
  unsigned a = 0;
  while (get16(atomic_load(&p1_x1)) != 1) {
  }
  p1_res[1] = a;
  return unused;
}
static void p1_main(void) {
  unsigned a = 0;
  pthread_create(&p1_h1, NULL, p1_f1, NULL);
  pthread_create(&p1_h2, NULL, p1_f2, NULL);
  pthread_create(&p1_h3, NULL, p1_f3, NULL);
  pthread_join(p1_h1, NULL);
  pthread_join(p1_h2, NULL);
  pthread_join(p1_h3, NULL);
  {
    char text[200];
    snprintf(text, sizeof text, "F %u %u %u %u / %u %u %u", a, p1_res[1], p1_res[2], p1_res[3], (unsigned)atomic_load(&p1_x0), (unsigned)get16(atomic_load(&p1_x1)), (unsigned)get16(atomic_load(&p1_x2)));
    report(text);
  }
}

// ---- program 2: storing_loops ----

static _Atomic uint64_t p2_x0 = PUT8(0);
static _Atomic uint32_t p2_x1 = (uint32_t)(0);
static _Atomic unsigned __int128 p2_x2 = PUT16(0);
static unsigned p2_res[4];
static pthread_t p2_h1;
static pthread_t p2_h2;
static pthread_t p2_h3;
static void* p2_f3(void* unused) {
  unsigned a = 0;
  atomic_store(&p2_x0, PUT8(2));
  a = a * 5 + get16(atomic_load(&p2_x2));
  p2_res[3] = a;
  return unused;
}
static void* p2_f2(void* unused) {
  unsigned a = 0;
  while (atomic_load(&p2_x1) != 1) {
    atomic_store(&p2_x0, PUT8(0));
  }
  p2_res[2] = a;
  return unused;
}
static void* p2_f1(void* unused) {
  unsigned a = 0;
  atomic_store(&p2_x0, PUT8(2));
  p2_res[1] = a;
  return unused;
}
static void p2_main(void) {
  unsigned a = 0;
  pthread_create(&p2_h1, NULL, p2_f1, NULL);
  pthread_create(&p2_h2, NULL, p2_f2, NULL);
  pthread_create(&p2_h3, NULL, p2_f3, NULL);
  pthread_join(p2_h3, NULL);
  pthread_join(p2_h2, NULL);
  pthread_join(p2_h1, NULL);
  {
    char text[200];
    snprintf(text, sizeof text, "F %u %u %u %u / %u %u %u", a, p2_res[1], p2_res[2], p2_res[3], (unsigned)get8(atomic_load(&p2_x0)), (unsigned)atomic_load(&p2_x1), (unsigned)get16(atomic_load(&p2_x2)));
    report(text);
  }
}

// ---- program 3: storing_loops ----

static _Atomic uint16_t p3_x0 = (uint16_t)(0);
static _Atomic uint32_t p3_x1 = (uint32_t)(0);
static _Atomic uint8_t p3_x2 = (uint8_t)(0);
static unsigned p3_res[3];
static pthread_t p3_h1;
static pthread_t p3_h2;
static void* p3_f2(void* unused) {
  unsigned a = 0;
  a = a * 5 + atomic_load(&p3_x1);
  while (atomic_load(&p3_x1) != 1) {
  }
  atomic_store(&p3_x1, (uint32_t)(2));
  p3_res[2] = a;
  return unused;
}
static void* p3_f1(void* unused) {
  unsigned a = 0;
  while (atomic_load(&p3_x0) != 2) {
    atomic_store(&p3_x1, (uint32_t)(1));
  }
  p3_res[1] = a;
  return unused;
}
static void p3_main(void) {
  unsigned a = 0;
  pthread_create(&p3_h1, NULL, p3_f1, NULL);
  pthread_create(&p3_h2, NULL, p3_f2, NULL);
  pthread_join(p3_h2, NULL);
  pthread_join(p3_h1, NULL);
  {
    char text[200];
    snprintf(text, sizeof text, "F %u %u %u / %u %u %u", a, p3_res[1], p3_res[2], (unsigned)atomic_load(&p3_x0), (unsigned)atomic_load(&p3_x1), (unsigned)atomic_load(&p3_x2));
    report(text);
  }
}

// ---- program 4: storing_loops ----

static _Atomic unsigned __int128 p4_x0 = PUT16(0);
static _Atomic uint8_t p4_x1 = (uint8_t)(0);
static _Atomic uint32_t p4_x2 = (uint32_t)(0);
static unsigned p4_res[3];
static pthread_t p4_h1;
static pthread_t p4_h2;
static void* p4_f2(void* unused) {
  unsigned a = 0;
  while (get16(atomic_load(&p4_x0)) != 1) {
    atomic_store(&p4_x1, (uint8_t)(0));
  }
  while (atomic_load(&p4_x1) != 2) {
    atomic_store(&p4_x0, PUT16(2));
  }
  while (atomic_load(&p4_x1) != 1) {
    atomic_store(&p4_x0, PUT16(1));
  }
  p4_res[2] = a;
  return unused;
}
static void* p4_f1(void* unused) {
  unsigned a = 0;
  while (atomic_load(&p4_x1) != 1) {
    atomic_store(&p4_x0, PUT16(0));
  }
  while (get16(atomic_load(&p4_x0)) != 2) {
    atomic_store(&p4_x1, (uint8_t)(2));
  }
  while (get16(atomic_load(&p4_x0)) != 2) {
    atomic_store(&p4_x1, (uint8_t)(1));
  }
  p4_res[1] = a;
  return unused;
}
static void p4_main(void) {
  unsigned a = 0;
  pthread_create(&p4_h1, NULL, p4_f1, NULL);
  pthread_create(&p4_h2, NULL, p4_f2, NULL);
  pthread_join(p4_h1, NULL);
  pthread_join(p4_h2, NULL);
  {
    char text[200];
    snprintf(text, sizeof text, "F %u %u %u / %u %u %u", a, p4_res[1], p4_res[2], (unsigned)get16(atomic_load(&p4_x0)), (unsigned)atomic_load(&p4_x1), (unsigned)atomic_load(&p4_x2));
    report(text);
  }
}

// ---- program 5: storing_loops ----

static _Atomic uint32_t p5_x0 = (uint32_t)(0);
static _Atomic uint8_t p5_x1 = (uint8_t)(0);
static _Atomic uint16_t p5_x2 = (uint16_t)(0);
static unsigned p5_res[3];
static pthread_t p5_h1;
static pthread_t p5_h2;
static void* p5_f2(void* unused) {
  unsigned a = 0;
  a = a * 5 + atomic_load(&p5_x1);
  p5_res[2] = a;
  return unused;
}
static void* p5_f1(void* unused) {
  unsigned a = 0;
  while (atomic_load(&p5_x1) != 1) {
    atomic_store(&p5_x0, (uint32_t)(0));
  }
  atomic_store(&p5_x0, (uint32_t)(1));
  p5_res[1] = a;
  return unused;
}
static void p5_main(void) {
  unsigned a = 0;
  pthread_create(&p5_h1, NULL, p5_f1, NULL);
  pthread_create(&p5_h2, NULL, p5_f2, NULL);
  pthread_join(p5_h2, NULL);
  pthread_join(p5_h1, NULL);
  {
    char text[200];
    snprintf(text, sizeof text, "F %u %u %u / %u %u %u", a, p5_res[1], p5_res[2], (unsigned)atomic_load(&p5_x0), (unsigned)atomic_load(&p5_x1), (unsigned)atomic_load(&p5_x2));
    report(text);
  }
}

// ---- program 6: storing_loops ----

static _Atomic uint8_t p6_x0 = (uint8_t)(0);
static _Atomic uint8_t p6_x1 = (uint8_t)(0);
static _Atomic unsigned __int128 p6_x2 = PUT16(1);
static unsigned p6_res[3];
static pthread_t p6_h1;
static pthread_t p6_h2;
static void* p6_f2(void* unused) {
  unsigned a = 0;
  atomic_store(&p6_x1, (uint8_t)(2));
  while (atomic_load(&p6_x0) != 2) {
    atomic_store(&p6_x1, (uint8_t)(2));
  }
  p6_res[2] = a;
  return unused;
}
static void* p6_f1(void* unused) {
  unsigned a = 0;
  while (atomic_load(&p6_x1) != 1) {
    atomic_store(&p6_x0, (uint8_t)(2));
  }
  while (atomic_load(&p6_x1) != 1) {
    atomic_store(&p6_x0, (uint8_t)(0));
  }
  while (atomic_load(&p6_x1) != 2) {
  }
  p6_res[1] = a;
  return unused;
}
static void p6_main(void) {
  unsigned a = 0;
  pthread_create(&p6_h1, NULL, p6_f1, NULL);
  pthread_create(&p6_h2, NULL, p6_f2, NULL);
  atomic_store(&p6_x2, PUT16(1));
  pthread_join(p6_h1, NULL);
  pthread_join(p6_h2, NULL);
  {
    char text[200];
    snprintf(text, sizeof text, "F %u %u %u / %u %u %u", a, p6_res[1], p6_res[2], (unsigned)atomic_load(&p6_x0), (unsigned)atomic_load(&p6_x1), (unsigned)get16(atomic_load(&p6_x2)));
    report(text);
  }
}

// ---- program 7: storing_loops ----

static _Atomic uint32_t p7_x0 = (uint32_t)(1);
static _Atomic uint32_t p7_x1 = (uint32_t)(0);
static _Atomic uint32_t p7_x2 = (uint32_t)(0);
static unsigned p7_res[3];
static pthread_t p7_h1;
static pthread_t p7_h2;
static void* p7_f2(void* unused) {
  unsigned a = 0;
  while (atomic_load(&p7_x1) != 1) {
    atomic_store(&p7_x0, (uint32_t)(1));
  }
  a = a * 5 + atomic_load(&p7_x0);
  while (atomic_load(&p7_x1) != 1) {
    atomic_store(&p7_x0, (uint32_t)(2));
  }
  p7_res[2] = a;
  return unused;
}
static void* p7_f1(void* unused) {
  unsigned a = 0;
  a = a * 5 + atomic_load(&p7_x0);
  p7_res[1] = a;
  return unused;
}
static void p7_main(void) {
  unsigned a = 0;
  pthread_create(&p7_h1, NULL, p7_f1, NULL);
  pthread_create(&p7_h2, NULL, p7_f2, NULL);
  pthread_join(p7_h1, NULL);
  pthread_join(p7_h2, NULL);
  {
    char text[200];
    snprintf(text, sizeof text, "F %u %u %u / %u %u %u", a, p7_res[1], p7_res[2], (unsigned)atomic_load(&p7_x0), (unsigned)atomic_load(&p7_x1), (unsigned)atomic_load(&p7_x2));
    report(text);
  }
}

// ---- program 8: storing_loops ----

static _Atomic uint64_t p8_x0 = PUT8(0);
static _Atomic uint32_t p8_x1 = (uint32_t)(0);
static _Atomic uint64_t p8_x2 = PUT8(1);
static unsigned p8_res[3];
static pthread_t p8_h1;
static pthread_t p8_h2;
static void* p8_f2(void* unused) {
  unsigned a = 0;
  atomic_store(&p8_x1, (uint32_t)(1));
  while (get8(atomic_load(&p8_x0)) != 2) {
    atomic_store(&p8_x1, (uint32_t)(1));
  }
  p8_res[2] = a;
  return unused;
}
static void* p8_f1(void* unused) {
  unsigned a = 0;
  atomic_store(&p8_x1, (uint32_t)(1));
  p8_res[1] = a;
  return unused;
}
static void p8_main(void) {
  unsigned a = 0;
  pthread_create(&p8_h1, NULL, p8_f1, NULL);
  pthread_create(&p8_h2, NULL, p8_f2, NULL);
  while (atomic_load(&p8_x1) != 2) {
  }
  pthread_join(p8_h1, NULL);
  pthread_join(p8_h2, NULL);
  {
    char text[200];
    snprintf(text, sizeof text, "F %u %u %u / %u %u %u", a, p8_res[1], p8_res[2], (unsigned)get8(atomic_load(&p8_x0)), (unsigned)atomic_load(&p8_x1), (unsigned)get8(atomic_load(&p8_x2)));
    report(text);
  }
}

// ---- program 9: storing_loops ----

static _Atomic uint64_t p9_x0 = PUT8(0);
static _Atomic uint32_t p9_x1 = (uint32_t)(0);
static _Atomic unsigned __int128 p9_x2 = PUT16(0);
static unsigned p9_res[3];
static pthread_t p9_h1;
static pthread_t p9_h2;
static void* p9_f2(void* unused) {
  unsigned a = 0;
  atomic_store(&p9_x0, PUT8(1));
  a = a * 5 + atomic_load(&p9_x1);
  p9_res[2] = a;
  return unused;
}
static void* p9_f1(void* unused) {
  unsigned a = 0;
  while (get8(atomic_load(&p9_x0)) != 2) {
    atomic_store(&p9_x1, (uint32_t)(0));
  }
  a = a * 5 + get8(atomic_load(&p9_x0));
  while (atomic_load(&p9_x1) != 2) {
    atomic_store(&p9_x0, PUT8(1));
  }
  p9_res[1] = a;
  return unused;
}
static void p9_main(void) {
  unsigned a = 0;
  pthread_create(&p9_h1, NULL, p9_f1, NULL);
  pthread_create(&p9_h2, NULL, p9_f2, NULL);
  while (atomic_load(&p9_x1) != 1) {
    atomic_store(&p9_x0, PUT8(1));
  }
  pthread_join(p9_h1, NULL);
  pthread_join(p9_h2, NULL);
  {
    char text[200];
    snprintf(text, sizeof text, "F %u %u %u / %u %u %u", a, p9_res[1], p9_res[2], (unsigned)get8(atomic_load(&p9_x0)), (unsigned)atomic_load(&p9_x1), (unsigned)get16(atomic_load(&p9_x2)));
    report(text);
  }
}

// ---- program 10: storing_loops ----

static _Atomic uint32_t p10_x0 = (uint32_t)(0);
static _Atomic uint32_t p10_x1 = (uint32_t)(0);
static _Atomic uint8_t p10_x2 = (uint8_t)(0);
static unsigned p10_res[4];
static pthread_t p10_h1;
static pthread_t p10_h2;
static pthread_t p10_h3;
static void* p10_f3(void* unused) {
  unsigned a = 0;
  atomic_store(&p10_x1, (uint32_t)(1));
  atomic_store(&p10_x0, (uint32_t)(1));
  p10_res[3] = a;
  return unused;
}
static void* p10_f2(void* unused) {
  unsigned a = 0;
  atomic_store(&p10_x0, (uint32_t)(1));
  atomic_store(&p10_x0, (uint32_t)(1));
  p10_res[2] = a;
  return unused;
}
static void* p10_f1(void* unused) {
  unsigned a = 0;
  atomic_store(&p10_x0, (uint32_t)(2));
  p10_res[1] = a;
  return unused;
}
static void p10_main(void) {
  unsigned a = 0;
  pthread_create(&p10_h1, NULL, p10_f1, NULL);
  pthread_create(&p10_h2, NULL, p10_f2, NULL);
  pthread_create(&p10_h3, NULL, p10_f3, NULL);
  pthread_join(p10_h1, NULL);
  pthread_join(p10_h2, NULL);
  pthread_join(p10_h3, NULL);
  {
    char text[200];
    snprintf(text, sizeof text, "F %u %u %u %u / %u %u %u", a, p10_res[1], p10_res[2], p10_res[3], (unsigned)atomic_load(&p10_x0), (unsigned)atomic_load(&p10_x1), (unsigned)atomic_load(&p10_x2));
    report(text);
  }
}

// ---- program 11: storing_loops ----

static _Atomic uint8_t p11_x0 = (uint8_t)(0);
static _Atomic uint32_t p11_x1 = (uint32_t)(0);
static _Atomic uint32_t p11_x2 = (uint32_t)(0);
static unsigned p11_res[4];
static pthread_t p11_h1;
static pthread_t p11_h2;
static pthread_t p11_h3;
static void* p11_f3(void* unused) {
  unsigned a = 0;
  while (atomic_load(&p11_x2) != 1) {
    atomic_store(&p11_x1, (uint32_t)(1));
  }
  while (atomic_load(&p11_x0) != 1) {
    atomic_store(&p11_x1, (uint32_t)(1));
  }
  p11_res[3] = a;
  return unused;
}
static void* p11_f2(void* unused) {
  unsigned a = 0;
  while (atomic_load(&p11_x0) != 2) {
    atomic_store(&p11_x1, (uint32_t)(1));
  }
  p11_res[2] = a;
  return unused;
}
static void* p11_f1(void* unused) {
  unsigned a = 0;
  atomic_store(&p11_x0, (uint8_t)(1));
  atomic_store(&p11_x0, (uint8_t)(1));
  p11_res[1] = a;
  return unused;
}
static void p11_main(void) {
  unsigned a = 0;
  pthread_create(&p11_h1, NULL, p11_f1, NULL);
  pthread_create(&p11_h2, NULL, p11_f2, NULL);
  pthread_create(&p11_h3, NULL, p11_f3, NULL);
  pthread_join(p11_h3, NULL);
  pthread_join(p11_h2, NULL);
  pthread_join(p11_h1, NULL);
  {
    char text[200];
    snprintf(text, sizeof text, "F %u %u %u %u / %u %u %u", a, p11_res[1], p11_res[2], p11_res[3], (unsigned)atomic_load(&p11_x0), (unsigned)atomic_load(&p11_x1), (unsigned)atomic_load(&p11_x2));
    report(text);
  }
}

// ---- program 12: storing_loops ----

static _Atomic uint32_t p12_x0 = (uint32_t)(0);
static _Atomic uint16_t p12_x1 = (uint16_t)(0);
static _Atomic unsigned __int128 p12_x2 = PUT16(0);
static unsigned p12_res[3];
static pthread_t p12_h1;
static pthread_t p12_h2;
static void* p12_f2(void* unused) {
  unsigned a = 0;
  while (atomic_load(&p12_x0) != 2) {
  }
  while (atomic_load(&p12_x1) != 1) {
    atomic_store(&p12_x0, (uint32_t)(1));
  }
  atomic_store(&p12_x0, (uint32_t)(1));
  p12_res[2] = a;
  return unused;
}
static void* p12_f1(void* unused) {
  unsigned a = 0;
  a = a * 5 + atomic_load(&p12_x1);
  atomic_store(&p12_x0, (uint32_t)(2));
  atomic_store(&p12_x1, (uint16_t)(2));
  p12_res[1] = a;
  return unused;
}
static void p12_main(void) {
  unsigned a = 0;
  pthread_create(&p12_h1, NULL, p12_f1, NULL);
  pthread_create(&p12_h2, NULL, p12_f2, NULL);
  pthread_join(p12_h1, NULL);
  pthread_join(p12_h2, NULL);
  {
    char text[200];
    snprintf(text, sizeof text, "F %u %u %u / %u %u %u", a, p12_res[1], p12_res[2], (unsigned)atomic_load(&p12_x0), (unsigned)atomic_load(&p12_x1), (unsigned)get16(atomic_load(&p12_x2)));
    report(text);
  }
}

// ---- program 13: storing_loops ----

static _Atomic uint32_t p13_x0 = (uint32_t)(0);
static _Atomic uint32_t p13_x1 = (uint32_t)(0);
static _Atomic uint64_t p13_x2 = PUT8(0);
static unsigned p13_res[4];
static pthread_t p13_h1;
static pthread_t p13_h2;
static pthread_t p13_h3;
static void* p13_f3(void* unused) {
  unsigned a = 0;
  while (atomic_load(&p13_x0) != 2) {
    atomic_store(&p13_x1, (uint32_t)(2));
  }
  a = a * 5 + atomic_load(&p13_x1);
  p13_res[3] = a;
  return unused;
}
static void* p13_f2(void* unused) {
  unsigned a = 0;
  a = a * 5 + atomic_load(&p13_x0);
  p13_res[2] = a;
  return unused;
}
static void* p13_f1(void* unused) {
  unsigned a = 0;
  atomic_store(&p13_x0, (uint32_t)(2));
  p13_res[1] = a;
  return unused;
}
static void p13_main(void) {
  unsigned a = 0;
  pthread_create(&p13_h1, NULL, p13_f1, NULL);
  pthread_create(&p13_h2, NULL, p13_f2, NULL);
  pthread_create(&p13_h3, NULL, p13_f3, NULL);
  pthread_join(p13_h1, NULL);
  pthread_join(p13_h2, NULL);
  pthread_join(p13_h3, NULL);
  {
    char text[200];
    snprintf(text, sizeof text, "F %u %u %u %u / %u %u %u", a, p13_res[1], p13_res[2], p13_res[3], (unsigned)atomic_load(&p13_x0), (unsigned)atomic_load(&p13_x1), (unsigned)get8(atomic_load(&p13_x2)));
    report(text);
  }
}

// ---- program 14: storing_loops ----

static _Atomic uint16_t p14_x0 = (uint16_t)(0);
static _Atomic uint64_t p14_x1 = PUT8(0);
static _Atomic unsigned __int128 p14_x2 = PUT16(0);
static unsigned p14_res[3];
static pthread_t p14_h1;
static pthread_t p14_h2;
static void* p14_f2(void* unused) {
  unsigned a = 0;
  a = a * 5 + get8(atomic_load(&p14_x1));
  a = a * 5 + get8(atomic_load(&p14_x1));
  p14_res[2] = a;
  return unused;
}
static void* p14_f1(void* unused) {
  unsigned a = 0;
  atomic_store(&p14_x1, PUT8(1));
  atomic_store(&p14_x0, (uint16_t)(1));
  p14_res[1] = a;
  return unused;
}
static void p14_main(void) {
  unsigned a = 0;
  pthread_create(&p14_h1, NULL, p14_f1, NULL);
  pthread_create(&p14_h2, NULL, p14_f2, NULL);
  atomic_store(&p14_x1, PUT8(1));
  pthread_join(p14_h1, NULL);
  pthread_join(p14_h2, NULL);
  {
    char text[200];
    snprintf(text, sizeof text, "F %u %u %u / %u %u %u", a, p14_res[1], p14_res[2], (unsigned)atomic_load(&p14_x0), (unsigned)get8(atomic_load(&p14_x1)), (unsigned)get16(atomic_load(&p14_x2)));
    report(text);
  }
}

// ---- program 15: storing_loops ----

static _Atomic uint32_t p15_x0 = (uint32_t)(0);
static _Atomic uint8_t p15_x1 = (uint8_t)(0);
static _Atomic uint16_t p15_x2 = (uint16_t)(0);
static unsigned p15_res[3];
static pthread_t p15_h1;
static pthread_t p15_h2;
static void* p15_f2(void* unused) {
  unsigned a = 0;
  atomic_store(&p15_x0, (uint32_t)(2));
  p15_res[2] = a;
  return unused;
}
static void* p15_f1(void* unused) {
  unsigned a = 0;
  while (atomic_load(&p15_x0) != 2) {
    atomic_store(&p15_x1, (uint8_t)(2));
  }
  atomic_store(&p15_x0, (uint32_t)(2));
  p15_res[1] = a;
  return unused;
}
static void p15_main(void) {
  unsigned a = 0;
  pthread_create(&p15_h1, NULL, p15_f1, NULL);
  pthread_create(&p15_h2, NULL, p15_f2, NULL);
  pthread_join(p15_h1, NULL);
  pthread_join(p15_h2, NULL);
  {
    char text[200];
    snprintf(text, sizeof text, "F %u %u %u / %u %u %u", a, p15_res[1], p15_res[2], (unsigned)atomic_load(&p15_x0), (unsigned)atomic_load(&p15_x1), (unsigned)atomic_load(&p15_x2));
    report(text);
  }
}

// ---- program 16: storing_loops ----

static _Atomic unsigned __int128 p16_x0 = PUT16(1);
static _Atomic uint8_t p16_x1 = (uint8_t)(0);
static _Atomic uint16_t p16_x2 = (uint16_t)(0);
static unsigned p16_res[3];
static pthread_t p16_h1;
static pthread_t p16_h2;
static void* p16_f2(void* unused) {
  unsigned a = 0;
  while (atomic_load(&p16_x1) != 1) {
    atomic_store(&p16_x0, PUT16(2));
  }
  atomic_store(&p16_x0, PUT16(2));
  atomic_store(&p16_x1, (uint8_t)(1));
  p16_res[2] = a;
  return unused;
}
static void* p16_f1(void* unused) {
  unsigned a = 0;
  atomic_store(&p16_x1, (uint8_t)(2));
  while (atomic_load(&p16_x1) != 1) {
  }
  atomic_store(&p16_x0, PUT16(2));
  p16_res[1] = a;
  return unused;
}
static void p16_main(void) {
  unsigned a = 0;
  pthread_create(&p16_h1, NULL, p16_f1, NULL);
  pthread_create(&p16_h2, NULL, p16_f2, NULL);
  pthread_join(p16_h1, NULL);
  pthread_join(p16_h2, NULL);
  {
    char text[200];
    snprintf(text, sizeof text, "F %u %u %u / %u %u %u", a, p16_res[1], p16_res[2], (unsigned)get16(atomic_load(&p16_x0)), (unsigned)atomic_load(&p16_x1), (unsigned)atomic_load(&p16_x2));
    report(text);
  }
}

// ---- program 17: storing_loops ----

static _Atomic uint16_t p17_x0 = (uint16_t)(0);
static _Atomic uint32_t p17_x1 = (uint32_t)(0);
static _Atomic uint32_t p17_x2 = (uint32_t)(0);
static unsigned p17_res[4];
static pthread_t p17_h1;
static pthread_t p17_h2;
static pthread_t p17_h3;
static void* p17_f3(void* unused) {
  unsigned a = 0;
  atomic_store(&p17_x0, (uint16_t)(2));
  a = a * 5 + atomic_load(&p17_x0);
  p17_res[3] = a;
  return unused;
}
static void* p17_f2(void* unused) {
  unsigned a = 0;
  atomic_store(&p17_x1, (uint32_t)(2));
  atomic_store(&p17_x0, (uint16_t)(1));
  p17_res[2] = a;
  return unused;
}
static void* p17_f1(void* unused) {
  unsigned a = 0;
  while (atomic_load(&p17_x1) != 1) {
    atomic_store(&p17_x0, (uint16_t)(2));
  }
  p17_res[1] = a;
  return unused;
}
static void p17_main(void) {
  unsigned a = 0;
  pthread_create(&p17_h1, NULL, p17_f1, NULL);
  pthread_create(&p17_h2, NULL, p17_f2, NULL);
  pthread_create(&p17_h3, NULL, p17_f3, NULL);
  pthread_join(p17_h3, NULL);
  pthread_join(p17_h2, NULL);
  pthread_join(p17_h1, NULL);
  {
    char text[200];
    snprintf(text, sizeof text, "F %u %u %u %u / %u %u %u", a, p17_res[1], p17_res[2], p17_res[3], (unsigned)atomic_load(&p17_x0), (unsigned)atomic_load(&p17_x1), (unsigned)atomic_load(&p17_x2));
    report(text);
  }
}

// ---- program 18: storing_loops ----

static _Atomic uint16_t p18_x0 = (uint16_t)(0);
static _Atomic uint32_t p18_x1 = (uint32_t)(0);
static _Atomic uint64_t p18_x2 = PUT8(0);
static unsigned p18_res[3];
static pthread_t p18_h1;
static pthread_t p18_h2;
static void* p18_f2(void* unused) {
  unsigned a = 0;
  while (atomic_load(&p18_x1) != 1) {
  }
  p18_res[2] = a;
  return unused;
}
static void* p18_f1(void* unused) {
  unsigned a = 0;
  a = a * 5 + atomic_load(&p18_x0);
  while (atomic_load(&p18_x1) != 1) {
    atomic_store(&p18_x0, (uint16_t)(2));
  }
  a = a * 5 + atomic_load(&p18_x1);
  p18_res[1] = a;
  return unused;
}
static void p18_main(void) {
  unsigned a = 0;
  pthread_create(&p18_h1, NULL, p18_f1, NULL);
  pthread_create(&p18_h2, NULL, p18_f2, NULL);
  pthread_join(p18_h1, NULL);
  pthread_join(p18_h2, NULL);
  {
    char text[200];
    snprintf(text, sizeof text, "F %u %u %u / %u %u %u", a, p18_res[1], p18_res[2], (unsigned)atomic_load(&p18_x0), (unsigned)atomic_load(&p18_x1), (unsigned)get8(atomic_load(&p18_x2)));
    report(text);
  }
}

// ---- program 19: storing_loops ----

static _Atomic unsigned __int128 p19_x0 = PUT16(0);
static _Atomic uint32_t p19_x1 = (uint32_t)(0);
static _Atomic uint16_t p19_x2 = (uint16_t)(0);
static unsigned p19_res[3];
static pthread_t p19_h1;
static pthread_t p19_h2;
static void* p19_f2(void* unused) {
  unsigned a = 0;
  while (atomic_load(&p19_x1) != 2) {
  }
  atomic_store(&p19_x0, PUT16(2));
  p19_res[2] = a;
  return unused;
}
static void* p19_f1(void* unused) {
  unsigned a = 0;
  while (atomic_load(&p19_x1) != 2) {
    atomic_store(&p19_x0, PUT16(0));
  }
  p19_res[1] = a;
  return unused;
}
static void p19_main(void) {
  unsigned a = 0;
  pthread_create(&p19_h1, NULL, p19_f1, NULL);
  pthread_create(&p19_h2, NULL, p19_f2, NULL);
  pthread_join(p19_h1, NULL);
  pthread_join(p19_h2, NULL);
  {
    char text[200];
    snprintf(text, sizeof text, "F %u %u %u / %u %u %u", a, p19_res[1], p19_res[2], (unsigned)get16(atomic_load(&p19_x0)), (unsigned)atomic_load(&p19_x1), (unsigned)atomic_load(&p19_x2));
    report(text);
  }
}

// ---- program 20: storing_loops ----

static _Atomic uint32_t p20_x0 = (uint32_t)(0);
static _Atomic uint32_t p20_x1 = (uint32_t)(0);
static _Atomic unsigned __int128 p20_x2 = PUT16(0);
static unsigned p20_res[4];
static pthread_t p20_h1;
static pthread_t p20_h2;
static pthread_t p20_h3;
static void* p20_f3(void* unused) {
  unsigned a = 0;
  a = a * 5 + atomic_load(&p20_x0);
  p20_res[3] = a;
  return unused;
}
static void* p20_f2(void* unused) {
  unsigned a = 0;
  a = a * 5 + get16(atomic_load(&p20_x2));
  p20_res[2] = a;
  return unused;
}
static void* p20_f1(void* unused) {
  unsigned a = 0;
  while (atomic_load(&p20_x0) != 2) {
    atomic_store(&p20_x1, (uint32_t)(0));
  }
  p20_res[1] = a;
  return unused;
}
static void p20_main(void) {
  unsigned a = 0;
  pthread_create(&p20_h1, NULL, p20_f1, NULL);
  pthread_create(&p20_h2, NULL, p20_f2, NULL);
  pthread_create(&p20_h3, NULL, p20_f3, NULL);
  pthread_join(p20_h3, NULL);
  pthread_join(p20_h2, NULL);
  pthread_join(p20_h1, NULL);
  {
    char text[200];
    snprintf(text, sizeof text, "F %u %u %u %u / %u %u %u", a, p20_res[1], p20_res[2], p20_res[3], (unsigned)atomic_load(&p20_x0), (unsigned)atomic_load(&p20_x1), (unsigned)get16(atomic_load(&p20_x2)));
    report(text);
  }
}

// ---- program 21: storing_loops ----

static _Atomic uint32_t p21_x0 = (uint32_t)(0);
static _Atomic uint16_t p21_x1 = (uint16_t)(0);
static _Atomic unsigned __int128 p21_x2 = PUT16(0);
static unsigned p21_res[3];
static pthread_t p21_h1;
static pthread_t p21_h2;
static void* p21_f2(void* unused) {
  unsigned a = 0;
  while (atomic_load(&p21_x0) != 1) {
  }
  p21_res[2] = a;
  return unused;
}
static void* p21_f1(void* unused) {
  unsigned a = 0;
  atomic_store(&p21_x0, (uint32_t)(2));
  while (atomic_load(&p21_x0) != 2) {
    atomic_store(&p21_x1, (uint16_t)(2));
  }
  atomic_store(&p21_x0, (uint32_t)(2));
  p21_res[1] = a;
  return unused;
}
static void p21_main(void) {
  unsigned a = 0;
  pthread_create(&p21_h1, NULL, p21_f1, NULL);
  pthread_create(&p21_h2, NULL, p21_f2, NULL);
  pthread_join(p21_h2, NULL);
  pthread_join(p21_h1, NULL);
  {
    char text[200];
    snprintf(text, sizeof text, "F %u %u %u / %u %u %u", a, p21_res[1], p21_res[2], (unsigned)atomic_load(&p21_x0), (unsigned)atomic_load(&p21_x1), (unsigned)get16(atomic_load(&p21_x2)));
    report(text);
  }
}

// ---- program 22: storing_loops ----

static _Atomic uint32_t p22_x0 = (uint32_t)(0);
static _Atomic unsigned __int128 p22_x1 = PUT16(0);
static _Atomic uint32_t p22_x2 = (uint32_t)(0);
static unsigned p22_res[3];
static pthread_t p22_h1;
static pthread_t p22_h2;
static void* p22_f2(void* unused) {
  unsigned a = 0;
  atomic_store(&p22_x1, PUT16(2));
  a = a * 5 + atomic_load(&p22_x0);
  p22_res[2] = a;
  return unused;
}
static void* p22_f1(void* unused) {
  unsigned a = 0;
  while (get16(atomic_load(&p22_x1)) != 1) {
    atomic_store(&p22_x0, (uint32_t)(2));
  }
  atomic_store(&p22_x0, (uint32_t)(2));
  atomic_store(&p22_x1, PUT16(2));
  p22_res[1] = a;
  return unused;
}
static void p22_main(void) {
  unsigned a = 0;
  pthread_create(&p22_h1, NULL, p22_f1, NULL);
  pthread_create(&p22_h2, NULL, p22_f2, NULL);
  atomic_store(&p22_x1, PUT16(1));
  pthread_join(p22_h1, NULL);
  pthread_join(p22_h2, NULL);
  {
    char text[200];
    snprintf(text, sizeof text, "F %u %u %u / %u %u %u", a, p22_res[1], p22_res[2], (unsigned)atomic_load(&p22_x0), (unsigned)get16(atomic_load(&p22_x1)), (unsigned)atomic_load(&p22_x2));
    report(text);
  }
}

// ---- program 23: storing_loops ----

static _Atomic uint8_t p23_x0 = (uint8_t)(0);
static _Atomic uint8_t p23_x1 = (uint8_t)(0);
static _Atomic unsigned __int128 p23_x2 = PUT16(0);
static unsigned p23_res[4];
static pthread_t p23_h1;
static pthread_t p23_h2;
static pthread_t p23_h3;
static void* p23_f3(void* unused) {
  unsigned a = 0;
  atomic_store(&p23_x1, (uint8_t)(2));
  a = a * 5 + atomic_load(&p23_x1);
  p23_res[3] = a;
  return unused;
}
static void* p23_f2(void* unused) {
  unsigned a = 0;
  atomic_store(&p23_x1, (uint8_t)(1));
  p23_res[2] = a;
  return unused;
}
static void* p23_f1(void* unused) {
  unsigned a = 0;
  while (atomic_load(&p23_x0) != 1) {
    atomic_store(&p23_x1, (uint8_t)(2));
  }
  atomic_store(&p23_x1, (uint8_t)(1));
  p23_res[1] = a;
  return unused;
}
static void p23_main(void) {
  unsigned a = 0;
  pthread_create(&p23_h1, NULL, p23_f1, NULL);
  pthread_create(&p23_h2, NULL, p23_f2, NULL);
  pthread_create(&p23_h3, NULL, p23_f3, NULL);
  pthread_join(p23_h3, NULL);
  pthread_join(p23_h2, NULL);
  pthread_join(p23_h1, NULL);
  {
    char text[200];
    snprintf(text, sizeof text, "F %u %u %u %u / %u %u %u", a, p23_res[1], p23_res[2], p23_res[3], (unsigned)atomic_load(&p23_x0), (unsigned)atomic_load(&p23_x1), (unsigned)get16(atomic_load(&p23_x2)));
    report(text);
  }
}

// ---- program 24: storing_loops ----

static _Atomic uint32_t p24_x0 = (uint32_t)(0);
static _Atomic uint32_t p24_x1 = (uint32_t)(0);
static _Atomic uint32_t p24_x2 = (uint32_t)(0);
static unsigned p24_res[3];
static pthread_t p24_h1;
static pthread_t p24_h2;
static void* p24_f2(void* unused) {
  unsigned a = 0;
  atomic_store(&p24_x1, (uint32_t)(1));
  atomic_store(&p24_x1, (uint32_t)(2));
  p24_res[2] = a;
  return unused;
}
static void* p24_f1(void* unused) {
  unsigned a = 0;
  atomic_store(&p24_x0, (uint32_t)(2));
  atomic_store(&p24_x1, (uint32_t)(1));
  p24_res[1] = a;
  return unused;
}
static void p24_main(void) {
  unsigned a = 0;
  pthread_create(&p24_h1, NULL, p24_f1, NULL);
  pthread_create(&p24_h2, NULL, p24_f2, NULL);
  pthread_join(p24_h2, NULL);
  pthread_join(p24_h1, NULL);
  {
    char text[200];
    snprintf(text, sizeof text, "F %u %u %u / %u %u %u", a, p24_res[1], p24_res[2], (unsigned)atomic_load(&p24_x0), (unsigned)atomic_load(&p24_x1), (unsigned)atomic_load(&p24_x2));
    report(text);
  }
}

// ---- program 25: storing_loops ----

static _Atomic uint64_t p25_x0 = PUT8(0);
static _Atomic uint64_t p25_x1 = PUT8(0);
static _Atomic unsigned __int128 p25_x2 = PUT16(0);
static unsigned p25_res[3];
static pthread_t p25_h1;
static pthread_t p25_h2;
static void* p25_f2(void* unused) {
  unsigned a = 0;
  while (get8(atomic_load(&p25_x1)) != 1) {
    atomic_store(&p25_x0, PUT8(2));
  }
  atomic_store(&p25_x0, PUT8(2));
  atomic_store(&p25_x1, PUT8(1));
  p25_res[2] = a;
  return unused;
}
static void* p25_f1(void* unused) {
  unsigned a = 0;
  atomic_store(&p25_x0, PUT8(2));
  atomic_store(&p25_x0, PUT8(1));
  p25_res[1] = a;
  return unused;
}
static void p25_main(void) {
  unsigned a = 0;
  pthread_create(&p25_h1, NULL, p25_f1, NULL);
  pthread_create(&p25_h2, NULL, p25_f2, NULL);
  a = a * 5 + get8(atomic_load(&p25_x0));
  pthread_join(p25_h1, NULL);
  pthread_join(p25_h2, NULL);
  {
    char text[200];
    snprintf(text, sizeof text, "F %u %u %u / %u %u %u", a, p25_res[1], p25_res[2], (unsigned)get8(atomic_load(&p25_x0)), (unsigned)get8(atomic_load(&p25_x1)), (unsigned)get16(atomic_load(&p25_x2)));
    report(text);
  }
}

// ---- program 26: storing_loops ----

static _Atomic unsigned __int128 p26_x0 = PUT16(0);
static _Atomic uint32_t p26_x1 = (uint32_t)(0);
static _Atomic uint8_t p26_x2 = (uint8_t)(0);
static unsigned p26_res[4];
static pthread_t p26_h1;
static pthread_t p26_h2;
static pthread_t p26_h3;
static void* p26_f3(void* unused) {
  unsigned a = 0;
  atomic_store(&p26_x2, (uint8_t)(1));
  while (atomic_load(&p26_x1) != 1) {
    atomic_store(&p26_x0, PUT16(2));
  }
  p26_res[3] = a;
  return unused;
}
static void* p26_f2(void* unused) {
  unsigned a = 0;
  atomic_store(&p26_x0, PUT16(2));
  p26_res[2] = a;
  return unused;
}
static void* p26_f1(void* unused) {
  unsigned a = 0;
  atomic_store(&p26_x1, (uint32_t)(1));
  while (atomic_load(&p26_x1) != 2) {
    atomic_store(&p26_x0, PUT16(1));
  }
  p26_res[1] = a;
  return unused;
}
static void p26_main(void) {
  unsigned a = 0;
  pthread_create(&p26_h1, NULL, p26_f1, NULL);
  pthread_create(&p26_h2, NULL, p26_f2, NULL);
  pthread_create(&p26_h3, NULL, p26_f3, NULL);
  pthread_join(p26_h1, NULL);
  pthread_join(p26_h2, NULL);
  pthread_join(p26_h3, NULL);
  {
    char text[200];
    snprintf(text, sizeof text, "F %u %u %u %u / %u %u %u", a, p26_res[1], p26_res[2], p26_res[3], (unsigned)get16(atomic_load(&p26_x0)), (unsigned)atomic_load(&p26_x1), (unsigned)atomic_load(&p26_x2));
    report(text);
  }
}

int main(int argc, char** argv) {
  if (argc > 2) wanted = argv[2];
  switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 0: p0_main(); break;
    case 1: p1_main(); break;
    case 2: p2_main(); break;
    case 3: p3_main(); break;
    case 4: p4_main(); break;
    case 5: p5_main(); break;
    case 6: p6_main(); break;
    case 7: p7_main(); break;
    case 8: p8_main(); break;
    case 9: p9_main(); break;
    case 10: p10_main(); break;
    case 11: p11_main(); break;
    case 12: p12_main(); break;
    case 13: p13_main(); break;
    case 14: p14_main(); break;
    case 15: p15_main(); break;
    case 16: p16_main(); break;
    case 17: p17_main(); break;
    case 18: p18_main(); break;
    case 19: p19_main(); break;
    case 20: p20_main(); break;
    case 21: p21_main(); break;
    case 22: p22_main(); break;
    case 23: p23_main(); break;
    case 24: p24_main(); break;
    case 25: p25_main(); break;
    case 26: p26_main(); break;
    default: return 2;
  }
  return 0;
}
