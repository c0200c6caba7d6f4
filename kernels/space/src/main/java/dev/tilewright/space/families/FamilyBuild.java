package dev.tilewright.space.families;

import java.util.Map;

/**
 * The build of the kernel families that this process runs: two processes with the same id build the same text from the
 * same config. The id is the SHA-256 over names and bytes of all class files of {@code dev.tilewright.space},
 * {@code dev.tilewright.gemm} and {@code dev.tilewright.ptx}, wherever they were loaded from.
 *
 * @param id 64 hexadecimal digits
 */
public record FamilyBuild(String id) {

    private static final String SPACE = "dev/tilewright/space/";
    private static final String GEMM = "dev/tilewright/gemm/";
    private static final String PTX = "dev/tilewright/ptx/";
    /** By name: this package looks at the bytes of the builders' classes, not at what they do. */
    private static final String GEMM_MEMBER = "dev.tilewright.gemm.GemmKernel";

    private static final String PTX_MEMBER = "dev.tilewright.ptx.PtxModule";

    /**
     * Reads the running build.
     *
     * @throws IllegalStateException if the class files cannot be found
     */
    public static FamilyBuild running() {
        return new FamilyBuild(
                ClassFiles.hash(Map.of(SPACE, FamilyBuild.class, GEMM, member(GEMM_MEMBER), PTX, member(PTX_MEMBER))));
    }

    private static Class<?> member(String name) {
        try {
            return Class.forName(name, false, FamilyBuild.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("no class " + name + " beside " + FamilyBuild.class.getName(), e);
        }
    }
}
