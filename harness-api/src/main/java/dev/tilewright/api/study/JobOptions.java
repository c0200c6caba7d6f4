package dev.tilewright.api.study;

/**
 * What a job asks for of each of its studies, with every default filled in and every value checked.
 *
 * @param restriction of the space of the family
 * @param device selector of the devices that may take it
 * @param check whether each kernel text must be proved before it may run
 */
public record JobOptions(
        String family,
        SpaceRestriction restriction,
        String strategy,
        Budget budget,
        long seed,
        String device,
        boolean check) {}
