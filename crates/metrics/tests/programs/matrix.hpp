// Matrices of numbers, and reading them from text.
#ifndef EXAMPLE_MATRIX_HPP
#define EXAMPLE_MATRIX_HPP

#include <memory>
#include <string>
#include <vector>

#define MATRIX_CHECK(condition) \
  do { if (!(condition)) throw std::runtime_error(#condition); } while (false)

namespace example {
namespace detail {
template <typename T, typename... Rest>
constexpr bool all_positive(T first, Rest&&... rest) {
  if constexpr (sizeof...(rest) == 0) {
    return first > 0;
  } else {
    return first > 0 and all_positive(std::forward<Rest>(rest)...);
  }
}
}  // namespace detail

/* A matrix
   of fixed size. */
template <typename T>
class Matrix {
 public:
  Matrix() = default;
  Matrix(Matrix&& other) noexcept : cells_(std::move(other.cells_)) {}
  explicit Matrix(std::size_t rows, std::size_t columns);
  virtual ~Matrix() {}

  Matrix& operator=(const Matrix& other) & {
    if (this != &other && other.rows_ > 0) {
      cells_ = other.cells_;
    }
    return *this;
  }

  explicit operator bool() const { return !cells_.empty() ? true : false; }

  const T* row(std::size_t index) const {
    return index < rows_ ? &cells_[index * columns_] : nullptr;
  }

  T sum() const {
    T total = 0;
    for (const auto& cell : cells_) {
      total += cell;
    }
    return total;
  }

  struct Shape {
    int rows, columns;
    bool square() const { return rows == columns; }
  };

 private:
  std::vector<T> cells_;
  std::size_t rows_ = 0, columns_ = 0;
};

template <typename T>
Matrix<T>::Matrix(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns) {
  cells_.resize(rows * columns, T{});
}

enum class Token { Number, Sign, Space, Other };

inline Token classify(char c) {
  switch (c) {
    case '0': case '1': case '2': case '3': case '4':
      return Token::Number;
    case '-':
    case '+':
      return Token::Sign;
    case ' ':
      return Token::Space;
    default:
      return Token::Other;
  }
}

int* first_digit(std::string& text, int** out) {
  auto is_digit = [&](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (is_digit(text[at]) || text[at] == 0x2E) {
      return *out + at;
    }
  }
  return nullptr;
}

#if defined(EXAMPLE_IO) && EXAMPLE_IO > 1
inline bool read(const std::string& path, std::string& text) try {
  while (true) {
    text += R"(raw
 text)";
    do {
      text += "\n";
    } while (text.size() < 3);
    return true;
  }
} catch (const std::exception& error) {
  return false;
} catch (...) {
  return false;
}
#else
inline bool read(const std::string&, std::string&) { return false; }
#endif

double mean(const std::vector<double>& values) {
  double total = 0.5;
  for (double value : values) {
    total += value;
  }
  return total / values.size();
}

double length(const std::vector<double>& parts) {
  double result = 2.5;
  for (double part : parts) {
    result += part;
  }
  return result / parts.size();
}
}  // namespace example

#endif
