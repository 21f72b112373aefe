#pragma once
#include "overlapack/figure.hpp"

/// The figures of the sparse direct methods, as lists (figure.hpp). The text of each figure is its row in docs/report.md.
namespace overlapack {

/// Figures of every direct method.
struct FactorFigures {
  OVERLAPACK_FIGURES(FactorFigures);
  OVERLAPACK_FIGURE(double, deal_s, most,
                    "seconds until each rank has its part of the tree and of the matrix");
  OVERLAPACK_FIGURE(Index, most_entries_of_rank, most,
                    "the most entries of A that one rank held: as given, by rows or in its fronts");
  OVERLAPACK_FIGURE(Index, factor_nnz, sum, "entries of the factors that solves use");
  OVERLAPACK_FIGURE(double, flops, sum, "real operations that the factorisation did", .is_whole = true);
  OVERLAPACK_FIGURE(double, factor_bytes, sum, "the factors in memory and on disk, bytes", .is_whole = true);
  OVERLAPACK_FIGURE(double, reserved_bytes, sum,
                    "address space that is reserved for the factors in memory, bytes", .is_whole = true);
  OVERLAPACK_FIGURE(
      double, peak_bytes, sum,
      "the most memory that each process held in the numerical phase, without the analysis, added up, bytes",
      .is_whole = true);
  OVERLAPACK_FIGURE(double, most_bytes_of_rank, most,
                    "the most memory that one rank held in the numerical phase, bytes", .is_whole = true);
  OVERLAPACK_FIGURES_END;
};

/// Figures of the multifrontal method's fronts, also of those in diagonal blocks.
struct FrontFigures {
  OVERLAPACK_FIGURES(FrontFigures);
  OVERLAPACK_FIGURE(Index, fronts, sum, "fronts of the tree");
  OVERLAPACK_FIGURE(Index, small_fronts, sum,
                    "fronts with few rows, which are assembled and eliminated in one go");
  OVERLAPACK_FIGURE(Index, tiled_fronts, sum, "large fronts that are eliminated tile by tile, as tasks");
  OVERLAPACK_FIGURE(Index, front_tasks, sum, "tasks of the tiled fronts");
  OVERLAPACK_FIGURE(
      Index, failed_columns, sum,
      "columns of tiled fronts that had no pivot in their tile, or too large an entry of L in another tile");
  OVERLAPACK_FIGURE(Index, restored_tiles, sum,
                    "tiles with failed columns that got their earlier numbers back");
  OVERLAPACK_FIGURE(Index, cut_pairs, sum, "2x2 pivots of which one column failed");
  OVERLAPACK_FIGURE(Index, searched_pivots, sum, "pivots that a search among the failed columns found");
  OVERLAPACK_FIGURE(Index, sent_contributions, sum,
                    "contribution blocks of whole fronts that went to another rank");
  OVERLAPACK_FIGURE(Index, distributed_fronts, sum, "fronts whose rows are in strips on several ranks");
  OVERLAPACK_FIGURE(Index, strips, sum, "strips of the distributed fronts");
  OVERLAPACK_FIGURE(Index, forwarded, sum, "panels that a strip passed on to other strips");
  OVERLAPACK_FIGURE(Index, shortened, sum,
                    "panels for strips that left out rows which their receiver does not need");
  OVERLAPACK_FIGURE(Index, delayed_from_strips, sum,
                    "pivots that moved up from a front in strips, each move counted");
  OVERLAPACK_FIGURE(Index, load_news, sum,
                    "messages by which ranks tell each other how much work they have left");
  OVERLAPACK_FIGURE(
      Index, stolen, sum,
      "tasks (a front or a small subtree) that another rank did than the one they were given to");
  OVERLAPACK_FIGURE(Index, pieces, sum,
                    "parts of contribution blocks that went to their rows in the memory of another rank");
  OVERLAPACK_FIGURE(Index, limited_by_memory, sum,
                    "times that a rank was given less of a front because it already held much memory");
  OVERLAPACK_FIGURE(Index, chain_links, sum, "fronts that continue a long front which was split");
  OVERLAPACK_FIGURE(Index, grid_roots, sum, "roots that all ranks factorise together");
  OVERLAPACK_FIGURE(Index, delayed_to_grid, sum, "pivots that moved up into a root that all ranks factorise");
  OVERLAPACK_FIGURE(Index, parked, sum, "messages that came before one that they need, and were kept");
  OVERLAPACK_FIGURE(Index, late_receives, sum,
                    "messages that were received first because another one came too early");
  OVERLAPACK_FIGURE(Index, times_full, sum,
                    "messages that waited for room in their sender's budget (option budget)");
  OVERLAPACK_FIGURES_END;
};

/// Figures of factors on disk (option factors).
struct DiskFigures {
  OVERLAPACK_FIGURES(DiskFigures);
  OVERLAPACK_FIGURE(Index, fronts_on_disk, sum, "fronts, and strips of fronts, whose factors are on disk");
  OVERLAPACK_FIGURE(Index, times_disk_full_budget, sum,
                    "parts of the files of factors that waited for room in the buffer (option disk_buffer)");
  OVERLAPACK_FIGURE(Index, segments_ahead, sum,
                    "parts of the files of factors that solves read before they needed them");
  OVERLAPACK_FIGURE(double, disk_written_bytes, sum, "bytes written to the files of factors",
                    .is_whole = true);
  OVERLAPACK_FIGURE(double, disk_read_bytes, sum,
                    "bytes read from the files of factors since the factorisation", .is_whole = true);
  OVERLAPACK_FIGURE(double, disk_wait_s, sum,
                    "seconds in which ranks waited for their files since the factorisation began");
  OVERLAPACK_FIGURES_END;
};

/// Figures of block low-rank fronts (option compression).
struct LowRankFigures {
  OVERLAPACK_FIGURES(LowRankFigures);
  OVERLAPACK_FIGURE(double, full_rank_nnz, sum,
                    "what factor_nnz would be without compression (option compression)", .is_whole = true);
  OVERLAPACK_FIGURE(double, full_rank_flops, sum, "what flops would be without compression",
                    .is_whole = true);
  OVERLAPACK_FIGURE(Index, low_rank_fronts, sum,
                    "fronts that are factorised in blocks, which are compressed where that pays");
  OVERLAPACK_FIGURE(Index, blocks_compressed, sum, "blocks of low-rank fronts that are products of low rank");
  OVERLAPACK_FIGURE(Index, blocks_full, sum, "blocks of low-rank fronts that were kept as they are");
  OVERLAPACK_FIGURE(Index, blocks_mixed, sum,
                    "compressed blocks with terms in single precision (option compression_precision)");
  OVERLAPACK_FIGURE(Index, mixed_saved_bytes, sum,
                    "memory of the factors that single precision saves in these blocks, bytes");
  OVERLAPACK_FIGURE(Index, sum_of_ranks, sum, "the ranks of the compressed blocks, added up");
  OVERLAPACK_FIGURE(Index, largest_rank, most, "the largest rank of a compressed block");
  OVERLAPACK_FIGURE(
      Index, contributions_compressed, sum,
      "contribution blocks of low-rank fronts that waited for their parents in tiles of low rank");
  OVERLAPACK_FIGURE(Index, contributions_mixed, sum,
                    "compressed contribution blocks with terms in single precision");
  OVERLAPACK_FIGURE(Index, low_rank_strips, sum, "strips of low-rank fronts (experiment fronts=strips)");
  OVERLAPACK_FIGURE(Index, panel_saved_bytes, sum,
                    "bytes by which the panels for low-rank strips are shorter, each panel counted once");
  OVERLAPACK_FIGURES_END;
};

/// Figures of supernodal LU's nodes, also of those in diagonal blocks.
struct NodeFigures {
  OVERLAPACK_FIGURES(NodeFigures);
  OVERLAPACK_FIGURE(Index, nodes, sum,
                    "nodes: groups of columns with lists of rows and columns of their own");
  OVERLAPACK_FIGURE(Index, columns_ahead, sum,
                    "block columns that were made before their own step, as each rank saw it");
  OVERLAPACK_FIGURE(Index, rows_ahead, sum,
                    "block rows that were made before their own step, as each rank saw it");
  OVERLAPACK_FIGURE(Index, direct_products, sum,
                    "products of an update that were computed where they are added");
  OVERLAPACK_FIGURE(Index, subtree_nodes, sum,
                    "nodes in leaf subtrees on one rank, which are eliminated without a message");
  OVERLAPACK_FIGURE(
      Index, border_messages, sum,
      "messages with what leaf subtrees add to the nodes above them, one for each pair of ranks");
  OVERLAPACK_FIGURE(
      Index, panel_messages, sum,
      "messages with panels, squares and borders of one factorisation, as the lists predict them");
  OVERLAPACK_FIGURE(Index, panel_bytes, sum, "bytes of these panels, squares and borders");
  OVERLAPACK_FIGURES_END;
};

/// Figures of a block triangular form: its diagonal blocks, and the blocks that are factorised column by column.
struct BlockFigures {
  OVERLAPACK_FIGURES(BlockFigures);
  OVERLAPACK_FIGURE(Index, diagonal_blocks, same, "diagonal blocks of the block triangular form");
  OVERLAPACK_FIGURE(Index, column_blocks, same,
                    "diagonal blocks that are factorised column by column, on one rank");
  OVERLAPACK_FIGURE(Index, largest_block, same, "unknowns of the largest diagonal block");
  OVERLAPACK_FIGURE(
      Index, predicted_columns, same,
      "columns of the last factorisation whose pivot and pattern were as the analysis predicted");
  OVERLAPACK_FIGURE(
      Index, shared_columns, same,
      "columns of the last factorisation with known or predicted pivots whose numbers several ranks "
      "could compute at the same time");
  OVERLAPACK_FIGURES_END;
};

struct PivotFigures {
  OVERLAPACK_FIGURES(PivotFigures);
  OVERLAPACK_FIGURE_AS(Index, delayed, "pivots.delayed", sum,
                       "pivots that moved up to a parent front, each move counted");
  OVERLAPACK_FIGURE_AS(
      Index, perturbed, "pivots.perturbed", sum,
      "pivots that were replaced by a larger number (option perturbation, factorization quasidefinite)");
  OVERLAPACK_FIGURE_AS(Index, wrong_sign, "pivots.wrong_sign", sum,
                       "replaced pivots whose sign was not that of the option signs");
  OVERLAPACK_FIGURE_AS(Index, exchanged, "pivots.exchanged", sum,
                       "pivots that are not on the diagonal of their node's square");
  OVERLAPACK_FIGURE_AS(Index, two_by_two, "pivots.two_by_two", sum,
                       "2x2 pivots: pairs of variables that are eliminated together");
  OVERLAPACK_FIGURE_AS(Index, null, "pivots.null", sum, "pivots that were found to be zero");
  OVERLAPACK_FIGURE_AS(Index, rounding, "pivots.rounding", sum,
                       "pivots of which only rounding errors, or nothing, were left (option singular)");
  OVERLAPACK_FIGURE_AS(Index, zero, "pivots.zero", sum,
                       "pivots of which nothing was left, so that they were replaced");
  OVERLAPACK_FIGURE_AS(Index, negative, "pivots.negative", sum,
                       "negative eigenvalues (symmetric and Hermitian matrices)");
  OVERLAPACK_FIGURE_AS(Index, off_diagonal, "pivots.off_diagonal", same,
                       "pivots other than the entry that the matching put on the diagonal");
  OVERLAPACK_FIGURE_AS(Index, kept, "pivots.kept", same,
                       "pivots that refactorize kept, since they were still large enough");
  OVERLAPACK_FIGURES_END;
};

/// All figures of the sparse direct methods. A figure that a method does not have is 0.
struct SparseFigures : FactorFigures, FrontFigures, DiskFigures, LowRankFigures, NodeFigures, BlockFigures {
  PivotFigures pivots;
};

}  // namespace overlapack
