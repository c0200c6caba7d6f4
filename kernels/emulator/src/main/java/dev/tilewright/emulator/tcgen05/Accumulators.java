package dev.tilewright.emulator.tcgen05;

import dev.tilewright.ptx.instruction.CtaGroup;

/**
 * Maps the rows and columns of D that one CTA holds to its tensor memory. PTX 9.7.16.10.5.
 *
 * <pre>
 *   M    CTAs  layout  row r of the CTA, column n
 *   256  2     A       lane r, column n
 *   128  1     D       lane r, column n
 *   128  2     B       lane r + 64 * (n / (N/2)), column n mod N/2
 *   64   1     F       lane r mod 16 + 32 * (r / 16) + 0 or 16, column n
 * </pre>
 *
 * @param rows of the CTA: 64 or 128
 * @param n columns of D
 * @param column of the address
 * @param lane of the address
 * @param halves whether the upper half of the columns lies in the upper half of the lanes
 */
record Accumulators(int rows, int n, int column, int lane, boolean halves) {
    static Accumulators of(CtaGroup group, int m, int n, int address) {
        int rows = m / group.ctas();
        return new Accumulators(rows, n, address & 0xFFFF, address >>> 16, rows == 64 && group == CtaGroup.TWO);
    }

    /** Whether its address names a lane at which the layout may begin. */
    boolean isAligned() {
        return lane == 0 || lane == 16 && rows == 64 && !halves;
    }

    /** Columns of tensor memory. */
    int columns() {
        return halves ? n / 2 : n;
    }

    int column(int at) {
        return column + (halves ? at % (n / 2) : at);
    }

    int lane(int row, int at) {
        if (halves) {
            return at < n / 2 ? row : row + 64;
        }
        return rows == 64 ? lane + row % 16 + 32 * (row / 16) : row;
    }

    /** Whether a block of 16 lanes holds any of it. */
    boolean uses(int firstLane) {
        return halves || rows == 128 || firstLane % 32 == lane;
    }
}
