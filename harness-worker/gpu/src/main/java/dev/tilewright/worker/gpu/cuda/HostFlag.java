package dev.tilewright.worker.gpu.cuda;

/** Words of host memory that a running kernel sees at once. */
public interface HostFlag extends AutoCloseable {

    /** Address under which the device sees the first word. */
    long deviceAddress();

    /** Writes a 32-bit word with release order. */
    void set(int index, int value);

    /** Reads a 32-bit word with acquire order. */
    int get(int index);

    @Override
    void close();
}
