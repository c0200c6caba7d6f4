package dev.tilewright.gemm;

/**
 * One CTA tile of a traced run.
 *
 * @param smId the SM, {@code %smid}
 * @param cta linear id of the CTA, {@code %ctaid.x}
 * @param tileM row of the CTA tile
 * @param tileN column of the CTA tile
 * @param startNs when a consumer took the tile up, {@code %globaltimer} in nanoseconds
 * @param endNs when its last store was issued, likewise
 * @param padding whether the tile holds no output
 * @param rank of the CTA in its cluster
 * @param failedQueries in the record of rank 0: queries of the cluster that found no tile after this one
 */
public record TileRecord(
        int smId,
        int cta,
        int tileM,
        int tileN,
        long startNs,
        long endNs,
        boolean padding,
        int rank,
        int failedQueries) {}
