package dev.tilewright.api.web.study;

import dev.tilewright.api.study.StudyDocument;
import dev.tilewright.api.web.Figures;
import dev.tilewright.model.trial.Ratio;
import java.util.List;
import java.util.Map;

/** Somebody else's kernel of the final; the ratio is that of our best to it. */
public record PeerView(String name, String rate, String time, String interval, String ratio, String outcome) {

    /**
     * The peers of a study.
     *
     * @param ratios of our best to each peer by its name, sustained
     */
    static List<PeerView> of(StudyDocument study, Map<String, Ratio> ratios) {
        return study.peers().stream().map(peer -> of(peer, ratios)).toList();
    }

    private static PeerView of(StudyDocument.PeerDocument peer, Map<String, Ratio> ratios) {
        return peer.lastSustained()
                .map(time -> new PeerView(
                        peer.name(),
                        Figures.tflops(peer.tflops()),
                        Figures.us(time.medianNs()),
                        Figures.interval(time.ciLowNs(), time.ciHighNs()),
                        Figures.ratio(ratios.get(peer.name())),
                        peer.outcome().toString()))
                .orElseGet(() -> new PeerView(
                        peer.name(),
                        Figures.NONE,
                        Figures.NONE,
                        "",
                        Figures.NONE,
                        peer.outcome().toString()));
    }
}
