// What nvcc gives every file through its host compiler's headers and NVRTC has not: integer types of a size, limits,
// constants of mathematics, and the few names of namespace std that device code can use.
#pragma once

typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef signed long long int64_t;
typedef unsigned long long uint64_t;
typedef int64_t intptr_t;
typedef uint64_t uintptr_t;
typedef int64_t ssize_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295u
#define LONG_MIN (-9223372036854775807l - 1)
#define LONG_MAX 9223372036854775807l
#define ULONG_MAX 18446744073709551615ul
#define LLONG_MIN (-9223372036854775807ll - 1)
#define LLONG_MAX 9223372036854775807ll
#define ULLONG_MAX 18446744073709551615ull
#define INT8_MIN SCHAR_MIN
#define INT8_MAX SCHAR_MAX
#define UINT8_MAX UCHAR_MAX
#define INT16_MIN SHRT_MIN
#define INT16_MAX SHRT_MAX
#define UINT16_MAX USHRT_MAX
#define INT32_MIN INT_MIN
#define INT32_MAX INT_MAX
#define UINT32_MAX UINT_MAX
#define INT64_MIN LLONG_MIN
#define INT64_MAX LLONG_MAX
#define UINT64_MAX ULLONG_MAX
#define SIZE_MAX ULLONG_MAX

#define FLT_DIG 6
#define FLT_MIN 1.17549435e-38f
#define FLT_MAX 3.40282347e+38f
#define FLT_EPSILON 1.19209290e-07f
#define DBL_DIG 15
#define DBL_MIN 2.2250738585072014e-308
#define DBL_MAX 1.7976931348623157e+308
#define DBL_EPSILON 2.2204460492503131e-16
#define INFINITY __builtin_bit_cast(float, 0x7f800000)
#define NAN __builtin_bit_cast(float, 0x7fffffff)
#define HUGE_VALF INFINITY
#define HUGE_VAL __builtin_bit_cast(double, 0x7ff0000000000000ll)

#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

#ifndef CUDART_INF_F
#define CUDART_INF_F INFINITY
#define CUDART_NAN_F NAN
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931e+0
#endif

namespace std {
using ::int8_t;
using ::uint8_t;
using ::int16_t;
using ::uint16_t;
using ::int32_t;
using ::uint32_t;
using ::int64_t;
using ::uint64_t;
using ::intptr_t;
using ::uintptr_t;
using ::size_t;
using ::ptrdiff_t;
using ::abs;
using ::acos;
using ::asin;
using ::atan;
using ::atan2;
using ::cbrt;
using ::ceil;
using ::cos;
using ::cosh;
using ::erf;
using ::exp;
using ::exp2;
using ::fabs;
using ::floor;
using ::fma;
using ::fmax;
using ::fmin;
using ::fmod;
using ::copysign;
using ::hypot;
using ::log;
using ::log10;
using ::log1p;
using ::log2;
using ::memcpy;
using ::memset;
using ::pow;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::signbit;
using ::printf;
using ::lround;
using ::rint;
using ::round;
using ::sin;
using ::sinh;
using ::sqrt;
using ::tan;
using ::tanh;
using ::trunc;

template <typename T>
__device__ constexpr const T& min(const T& a, const T& b) {
  return b < a ? b : a;
}
template <typename T>
__device__ constexpr const T& max(const T& a, const T& b) {
  return a < b ? b : a;
}
template <typename T>
__device__ void swap(T& a, T& b) {
  T kept = a;
  a = b;
  b = kept;
}

template <typename A, typename B>
struct is_same {
  static constexpr bool value = false;
};
template <typename A>
struct is_same<A, A> {
  static constexpr bool value = true;
};
template <typename A, typename B>
inline constexpr bool is_same_v = is_same<A, B>::value;
template <bool condition, typename T = void>
struct enable_if {};
template <typename T>
struct enable_if<true, T> {
  typedef T type;
};
template <bool condition, typename T = void>
using enable_if_t = typename enable_if<condition, T>::type;
template <bool condition, typename A, typename B>
struct conditional {
  typedef A type;
};
template <typename A, typename B>
struct conditional<false, A, B> {
  typedef B type;
};
template <bool condition, typename A, typename B>
using conditional_t = typename conditional<condition, A, B>::type;
template <typename T>
inline constexpr bool is_floating_point_v = is_same_v<T, float> || is_same_v<T, double>;

template <typename T>
inline constexpr bool is_integral_v = !is_floating_point_v<T> && (T)0.5f == (T)0;
template <typename T>
inline constexpr bool is_signed_v = (T)-1 < (T)0;
template <typename T>
struct limits_of;
template <typename T>
struct numeric_limits : limits_of<T> {
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = (T)-1 < (T)0;
  static constexpr bool is_integer = (T)0.5f == (T)0;
  static constexpr int digits = limits_of<T>::bits;
};
#define WARPVIZ_LIMITS(type, least, lowest_, most, digits_, epsilon_, infinity_, nan_) \
  template <>                                                                          \
  struct limits_of<type> {                                                             \
    enum { bits = digits_ };                                                           \
    __device__ static constexpr type min() { return least; }                           \
    __device__ static constexpr type max() { return most; }                            \
    __device__ static constexpr type lowest() { return lowest_; }                      \
    __device__ static constexpr type epsilon() { return epsilon_; }                    \
    __device__ static constexpr type infinity() { return infinity_; }                  \
    __device__ static constexpr type quiet_NaN() { return nan_; }                      \
  };
WARPVIZ_LIMITS(char, CHAR_MIN, CHAR_MIN, CHAR_MAX, 7, 0, 0, 0)
WARPVIZ_LIMITS(signed char, SCHAR_MIN, SCHAR_MIN, SCHAR_MAX, 7, 0, 0, 0)
WARPVIZ_LIMITS(unsigned char, 0, 0, UCHAR_MAX, 8, 0, 0, 0)
WARPVIZ_LIMITS(short, SHRT_MIN, SHRT_MIN, SHRT_MAX, 15, 0, 0, 0)
WARPVIZ_LIMITS(unsigned short, 0, 0, USHRT_MAX, 16, 0, 0, 0)
WARPVIZ_LIMITS(int, INT_MIN, INT_MIN, INT_MAX, 31, 0, 0, 0)
WARPVIZ_LIMITS(unsigned, 0, 0, UINT_MAX, 32, 0, 0, 0)
WARPVIZ_LIMITS(long, LONG_MIN, LONG_MIN, LONG_MAX, 63, 0, 0, 0)
WARPVIZ_LIMITS(unsigned long, 0, 0, ULONG_MAX, 64, 0, 0, 0)
WARPVIZ_LIMITS(long long, LLONG_MIN, LLONG_MIN, LLONG_MAX, 63, 0, 0, 0)
WARPVIZ_LIMITS(unsigned long long, 0, 0, ULLONG_MAX, 64, 0, 0, 0)
WARPVIZ_LIMITS(float, FLT_MIN, -FLT_MAX, FLT_MAX, 24, FLT_EPSILON, INFINITY, NAN)
WARPVIZ_LIMITS(double, DBL_MIN, -DBL_MAX, DBL_MAX, 53, DBL_EPSILON, HUGE_VAL, __builtin_bit_cast(double, 0x7fffffffffffffffll))
}  // namespace std
