package dev.tilewright.api.task;

/**
 * Address of a GPU: the same one as long as its host names its devices alike, whichever worker offers it.
 *
 * @param device its label, such as {@code cuda:0}
 */
public record GpuAddress(String host, String device) {

    @Override
    public String toString() {
        return device + " of " + host;
    }
}
