package dev.tilewright.gemm.space;

import java.util.Map;

/**
 * Which build of the kernel families this process runs: two processes with the same id build the same text from the
 * same config. The id is the SHA-256 over names and bytes of all class files of {@code dev.tilewright.gemm} and
 * {@code dev.tilewright.ptx}, wherever they were loaded from.
 *
 * @param id 64 hexadecimal digits
 */
public record FamilyBuild(String id) {

    private static final String GEMM = "dev/tilewright/gemm/";
    private static final String PTX = "dev/tilewright/ptx/";
    /** By name: this package looks at the bytes of the builder's classes, not at what they do. */
    private static final String PTX_MEMBER = "dev.tilewright.ptx.PtxModule";

    /**
     * Reads the running build.
     *
     * @throws IllegalStateException if the class files cannot be found
     */
    public static FamilyBuild running() {
        return new FamilyBuild(ClassFiles.hash(Map.of(GEMM, FamilyBuild.class, PTX, ptxMember())));
    }

    private static Class<?> ptxMember() {
        try {
            return Class.forName(PTX_MEMBER, false, FamilyBuild.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("no class " + PTX_MEMBER + " beside " + FamilyBuild.class.getName(), e);
        }
    }
}
