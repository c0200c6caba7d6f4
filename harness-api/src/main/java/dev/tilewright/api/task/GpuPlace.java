package dev.tilewright.api.task;

/**
 * Where a GPU is: the same one for as long as its host names its devices alike, whichever worker offers it.
 *
 * @param device its label, such as {@code cuda:0}
 */
public record GpuPlace(String host, String device) {

    @Override
    public String toString() {
        return device + " of " + host;
    }
}
