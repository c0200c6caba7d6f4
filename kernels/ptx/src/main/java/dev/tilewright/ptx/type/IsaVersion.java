package dev.tilewright.ptx.type;

/** A PTX ISA version, the number behind {@code .version}. */
public record IsaVersion(int major, int minor) implements Comparable<IsaVersion> {
    /** The lowest version we write: the first that knows sm_90a. */
    public static final IsaVersion V8_0 = new IsaVersion(8, 0);

    @Override
    public int compareTo(IsaVersion other) {
        return major != other.major ? Integer.compare(major, other.major) : Integer.compare(minor, other.minor);
    }

    public IsaVersion max(IsaVersion other) {
        return compareTo(other) >= 0 ? this : other;
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
