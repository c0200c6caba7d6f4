package dev.tilewright.worker.gpu.cuda;

/**
 * Properties of a GPU.
 *
 * @param ordinal number under which the driver lists it to this process
 * @param name model, such as {@code NVIDIA H200}
 * @param uuid as NVML writes it, {@code GPU-} and five groups of hexadecimal digits
 * @param apiVersion newest CUDA version that the driver speaks, such as {@code 13.0}
 * @param smCount number of SMs
 * @param l2Bytes size of the L2 cache
 * @param sharedBytesPerCta largest dynamic shared memory of a CTA, opt-in
 * @param major compute capability before the dot
 * @param minor and after it
 */
public record GpuInfo(
        int ordinal,
        String name,
        String uuid,
        String apiVersion,
        int smCount,
        long l2Bytes,
        int sharedBytesPerCta,
        int major,
        int minor) {

    /** Target of an assembler with all features of the architecture, such as {@code sm_90a}. */
    public String target() {
        return "sm_" + major + minor + (major >= 9 ? "a" : "");
    }
}
