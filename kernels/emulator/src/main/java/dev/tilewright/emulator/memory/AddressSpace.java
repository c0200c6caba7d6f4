package dev.tilewright.emulator.memory;

/** The windows of the other state spaces among generic addresses; all other generic addresses are global. */
public final class AddressSpace {
    /** Generic address of shared address 0. */
    public static final long SHARED = 0x0001_0000_0000_0000L;
    /** Generic address of the first byte of the parameters. */
    public static final long PARAMETERS = 0x0002_0000_0000_0000L;

    /** Generic address of local address 0. */
    public static final long LOCAL = 0x0003_0000_0000_0000L;
    /** Generic address of constant address 0. */
    public static final long CONSTANTS = 0x0004_0000_0000_0000L;
    /** First address of the module's variables in global memory, far from the buffers. */
    public static final long VARIABLES = 0x7E00_0000_0000L;
    /** First address of a thread's variables, above 0 so that no variable lies at address 0. */
    public static final int LOCAL_START = 1024;
    /** First address of the variables in constant memory. */
    public static final int CONSTANT_START = 1024;

    private static final long SIZE = 1L << 32;
    /** The CTA's rank begins here in an address of the shared window. */
    public static final int RANK_SHIFT = 24;
    /** First address of a kernel's shared memory; the bytes below belong to the system. */
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
