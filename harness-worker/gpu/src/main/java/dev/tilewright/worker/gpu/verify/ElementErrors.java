package dev.tilewright.worker.gpu.verify;

/**
 * An output against its reference, over every element.
 *
 * @param wrong elements whose error is above its bound, or that are not a number
 * @param poisoned elements that still hold the poison
 * @param errorRatio largest error over its bound; NaN if an element is not a number
 * @param firstWrong lowest linear index of a wrong element, or -1
 */
public record ElementErrors(long wrong, long poisoned, double errorRatio, long firstWrong) {

    /** The same, with the numbers of elements moved up by an offset. */
    ElementErrors after(long elements) {
        return new ElementErrors(wrong, poisoned, errorRatio, firstWrong < 0 ? firstWrong : elements + firstWrong);
    }

    /** This and that of elements behind its own. */
    ElementErrors and(ElementErrors behind) {
        return new ElementErrors(
                wrong + behind.wrong,
                poisoned + behind.poisoned,
                Math.max(errorRatio, behind.errorRatio),
                firstWrong < 0 ? behind.firstWrong : firstWrong);
    }

    /** Whether every element is within its bound and was written. */
    public boolean passes() {
        return wrong == 0 && poisoned == 0 && errorRatio <= 1;
    }
}
