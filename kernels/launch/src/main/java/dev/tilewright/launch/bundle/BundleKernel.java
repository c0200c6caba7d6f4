package dev.tilewright.launch.bundle;

/** The kernel of a config. */
public sealed interface BundleKernel {
    /** How the name of a cubin ends. */
    String CUBIN = ".cubin";

    /** The file of the bundle that it comes from. */
    String file();

    /** Name of the kernel in it. */
    String entry();

    /** The target that it is compiled for, such as {@code sm_90a}. */
    String target();

    /** A text of PTX, its holes filled. */
    record Text(String file, String entry, String target, String ptx) implements BundleKernel {}

    /**
     * A binary, which nobody can look into.
     *
     * @param compiledFor as its header says too
     * @param cubin never written to
     */
    record Binary(String file, String entry, GpuTarget compiledFor, byte[] cubin) implements BundleKernel {
        @Override
        public String target() {
            return compiledFor.toString();
        }
    }
}
