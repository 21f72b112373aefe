#include "overlapack/printed.hpp"

namespace overlapack {

std::string scaled_text(double value, const char* unit) {
  constexpr const char* prefixes[] = {"", "k", "M", "G", "T", "P"};
  int prefix = 0;
  while (std::abs(value) >= 999.5 && prefix < 5) {
    value /= 1000;
    ++prefix;
  }
  const int decimals = prefix == 0 && value == std::floor(value) ? 0
                       : value < 9.995                           ? 2
                       : value < 99.95                           ? 1
                                                                 : 0;
  std::string text = printed("%.*f %s%s", decimals, value, prefixes[prefix], unit);
  while (text.back() == ' ') text.pop_back();
  return text;
}

std::string bytes_text(double bytes) { return scaled_text(bytes, "B"); }

std::string seconds_text(double s) {
  const auto whole = [](double part) { return static_cast<long long>(part); };
  if (s >= 7199.5 && s < 1e15)
    return printed("%lld h %lld min", whole(s + 30) / 3600, whole(s + 30) % 3600 / 60);
  if (s >= 119.5 && s < 1e15) return printed("%lld min %lld s", whole(s + 0.5) / 60, whole(s + 0.5) % 60);
  if (s >= 0.9995 || s == 0) return printed("%.3g s", s);
  if (s >= 0.9995e-3) return printed("%.3g ms", s * 1e3);
  return printed("%.3g us", s * 1e6);
}

std::string percent_text(double share) { return printed("%.0f %%", 100 * share); }

std::string whole_text(Index value) {
  const std::string digits = std::to_string(value);
  std::string grouped;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const bool starts_group = (digits.size() - i) % 3 == 0 && i > 0 && digits[i - 1] != '-';
    if (starts_group) grouped += ' ';
    grouped += digits[i];
  }
  return grouped;
}

}  // namespace overlapack
