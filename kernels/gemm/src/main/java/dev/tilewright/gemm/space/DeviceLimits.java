package dev.tilewright.gemm.space;

/**
 * What a device allows a kernel.
 *
 * @param smCount number of SMs
 * @param sharedBytesPerCta largest dynamic shared memory of a CTA
 * @param registersPerSm 32-bit registers of an SM
 */
public record DeviceLimits(int smCount, int sharedBytesPerCta, int registersPerSm) {

    /** Hopper and Blackwell data-centre parts with this number of SMs. */
    public static DeviceLimits of(int smCount) {
        return new DeviceLimits(smCount, 232_448, 65_536);
    }
}
