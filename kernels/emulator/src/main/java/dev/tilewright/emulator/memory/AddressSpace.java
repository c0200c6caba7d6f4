package dev.tilewright.emulator.memory;

/** Where the windows of shared memory and of parameters lie among generic addresses; elsewhere generic is global. */
public final class AddressSpace {
    /** Generic address of shared address 0. */
    public static final long SHARED = 0x0001_0000_0000_0000L;
    /** Generic address of the first byte of the parameters. */
    public static final long PARAMETERS = 0x0002_0000_0000_0000L;

    private static final long SIZE = 1L << 32;
    /** The CTA's rank begins here in an address of the shared window. */
    public static final int RANK_SHIFT = 24;
    /** Where the shared memory of a CTA begins for its kernel: what lies below belongs to the system. */
    public static final int SHARED_START = 1024;

    private AddressSpace() {}

    public static boolean isShared(long generic) {
        return generic >= SHARED && generic < SHARED + SIZE;
    }

    public static boolean isParameter(long generic) {
        return generic >= PARAMETERS && generic < PARAMETERS + SIZE;
    }
}
