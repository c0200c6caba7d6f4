package dev.tilewright.emulator.foreign;

/** What the kernel {@code integers} of integers.cu does, for thread 0. */
record IntegersInJava(long[] l, int[] w, short[] h, byte[] b, long[] u, int[] v) implements Runnable {
    private static final int[] TABLE = {1, 2, 3, 5, 8, 13, 21, 34};

    @Override
    public void run() {
        l[0] = l[0] * l[1] + (long) w[0] * w[1];
        u[0] = Math.unsignedMultiplyHigh(u[0], u[1])
                + Long.divideUnsigned(u[0], u[2])
                + Long.remainderUnsigned(u[0], u[3]);
        v[0] = (int) ((v[0] & 0xFFFFFFFFL) * (v[1] & 0xFFFFFFFFL) >>> 32)
                + Integer.divideUnsigned(v[0], 7)
                + (int) ((long) w[0] * w[2] >> 32);
        w[0] = Integer.bitCount(v[0])
                + Integer.numberOfLeadingZeros(v[1])
                + (v[2] == 0 ? 0 : Integer.numberOfTrailingZeros(v[2]) + 1)
                + Long.bitCount(u[0])
                + Long.numberOfLeadingZeros(u[1])
                + Integer.reverse(v[3]);
        int bytes = v[0] & 0xFFFF | v[1] << 16;
        long left = (v[1] & 0xFFFFFFFFL) << 32 | v[0] & 0xFFFFFFFFL;
        long right = (v[2] & 0xFFFFFFFFL) << 32 | v[0] & 0xFFFFFFFFL;
        v[4] = bytes ^ (int) (left << (w[0] & 31) >>> 32) ^ (int) (right >>> 7);
        h[0] = (short) (h[0] * h[1] + Math.max(h[0], h[2]) - -1);
        b[0] = (byte) (b[0] * 3 + (byte) w[0]);
        w[5] = (int) Math.abs((long) w[0] - w[1])
                + v[0]
                + dot(w[0], w[1], w[2])
                + Math.abs(w[3])
                + Math.min(w[0], w[4]);
        v[6] = v[0] & v[1] ^ (v[2] | ~v[3]) ^ v[0] >>> 5 & 0x3ff ^ TABLE[v[0] & 7] ^ TABLE[0];
        u[4] = ((v[0] & 0xFFFFFFFFL) << 32 | v[1] & 0xFFFFFFFFL) >>> (v[2] & 63);
        long low = u[0] * u[1] + u[2];
        long high = Math.unsignedMultiplyHigh(u[0], u[1]) + (Long.compareUnsigned(low, u[2]) < 0 ? 1 : 0);
        u[6] = high + low;
        int rounded = (int) ((long) w[0] + w[1] + 1 >> 1);
        int narrow = (w[0] << 8 >> 8) * (w[1] << 8 >> 8);
        w[7] = bytewise(w[0], w[1]) + halfwise(w[0], w[2]) + rounded + narrow;
    }

    private static int dot(int a, int b, int c) {
        for (int shift = 0; shift < 32; shift += 8) {
            c += (byte) (a >> shift) * (byte) (b >> shift);
        }
        return c;
    }

    private static int bytewise(int a, int b) {
        int sum = 0;
        for (int shift = 0; shift < 32; shift += 8) {
            sum |= ((a >>> shift) + (b >>> shift) & 0xFF) << shift;
        }
        return sum;
    }

    private static int halfwise(int a, int b) {
        return Math.max((short) a, (short) b) & 0xFFFF | Math.max(a >> 16, b >> 16) << 16;
    }
}
