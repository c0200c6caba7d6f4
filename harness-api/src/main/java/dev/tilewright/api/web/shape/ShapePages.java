package dev.tilewright.api.web.shape;

import dev.tilewright.api.best.BestStudies;
import dev.tilewright.api.study.StudySpaces;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/** The best configs by shape. */
@Controller
record ShapePages(BestStudies best, StudySpaces spaces) {

    @GetMapping("/shapes")
    String shapes(Model model) {
        model.addAttribute("groups", ShapesView.of(best.all(), spaces.families()));
        return "shapes";
    }
}
