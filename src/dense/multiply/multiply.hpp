#pragma once
#include "comm/mailbox/inbox.hpp"
#include "dist/moves/messages/message_plan.hpp"

namespace overlapack::dense {

/// Decisions of a distributed product.
struct MultiplyPlan {
  Index depth = 2;  ///< panels under way while one is multiplied
  dist::MessagePlan messages = {};
  Index tile = 512;  ///< as LuPlan::tile
  comm::InboxOptions inbox{.posted = 8};
};

/// C <- C + alpha A B by panels of width b: panels of A's columns travel along the process rows, panels of B's rows down the process
/// columns, while earlier panels are multiplied.
/// Shapes  A: m x k, B: k x n, C: m x n on one grid; A's rows distributed as C's, B's columns as C's, A's columns in blocks as
///         B's rows (their sources may differ)
/// Sync    collective over the team; ranks outside of the grid only take part in its barrier
/// Cost    2 m n k flops; each rank receives k / b panels of m / P x b and k / b panels of b x n / Q
/// Errors  BadInput where shapes or blocks do not fit
/// Source  SUMMA: van de Geijn, Watts, Concurrency: Practice and Experience 9 (1997)
template <class T>
void multiply(comm::Rank& rank, T alpha, const dist::DistributedMatrix<T>& A,
              const dist::DistributedMatrix<T>& B, const dist::DistributedMatrix<T>& C,
              const MultiplyPlan& plan);

}  // namespace overlapack::dense
