package dev.tilewright.emulator.memory;

/** Where the windows of the other spaces lie among generic addresses; elsewhere generic is global. */
public final class AddressSpace {
    /** Generic address of shared address 0. */
    public static final long SHARED = 0x0001_0000_0000_0000L;
    /** Generic address of the first byte of the parameters. */
    public static final long PARAMETERS = 0x0002_0000_0000_0000L;

    /** Generic address of local address 0. */
    public static final long LOCAL = 0x0003_0000_0000_0000L;
    /** Generic address of constant address 0. */
    public static final long CONSTANTS = 0x0004_0000_0000_0000L;
    /** Where the module's variables in global memory begin, far from the buffers. */
    public static final long VARIABLES = 0x7E00_0000_0000L;
    /** Where a thread's variables begin, so that no address of one is 0. */
    public static final int LOCAL_START = 1024;
    /** Where the variables in constant memory begin. */
    public static final int CONSTANT_START = 1024;

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

    public static boolean isLocal(long generic) {
        return generic >= LOCAL && generic < LOCAL + SIZE;
    }

    public static boolean isConstant(long generic) {
        return generic >= CONSTANTS && generic < CONSTANTS + SIZE;
    }

    /** Whether it lies in no window. */
    public static boolean isGlobal(long generic) {
        return !isShared(generic) && !isParameter(generic) && !isLocal(generic) && !isConstant(generic);
    }
}
