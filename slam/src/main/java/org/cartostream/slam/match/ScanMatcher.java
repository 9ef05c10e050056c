package org.cartostream.slam.match;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.TiledMap;

/** experimental */
public final class ScanMatcher {

  private static final int KERNEL_ONE = 1 << 16;

  private final MatcherSettings settings;
  private final double unitsPerMetre;
  private final int[] scoreKernel;
  private final int[] likelihoodKernel;
  private Rotated best = new Rotated();
  private Rotated plus = new Rotated();
  private Rotated minus = new Rotated();

  // result
  public Pose pose;
  public double logLikelihood;
  public double score;
  public int evaluations;
  public int peak;
  public double[] information = new double[6]; // xx xy xt yy yt tt

  public ScanMatcher(MatcherSettings settings, double cellMetres) {
    this.settings = settings;
    this.unitsPerMetre = TiledMap.UNITS / cellMetres;
    double unit = cellMetres / 512;
    int entries = 2312; // (3 cells)^2 at 1/512 cell, >> 10
    scoreKernel = new int[entries + 1];
    likelihoodKernel = new int[entries + 1];
    double kernel = settings.kernelMetres();
    double hit = settings.hitMetres();
    for (int i = 0; i < entries; i++) {
      double d2 = (i + 0.5) * 1024 * unit * unit;
      scoreKernel[i] = (int) (KERNEL_ONE * StrictMath.exp(-d2 / (2 * kernel * kernel)));
      likelihoodKernel[i] =
          (int) (KERNEL_ONE * StrictMath.log(settings.missShare() + (1-settings.missShare())*StrictMath.exp(-d2 / (2 * hit * hit))));
    }
    likelihoodKernel[entries] = (int) (KERNEL_ONE * StrictMath.log(settings.missShare()));
  }

  private int fixed(double metres) {
    return (int) StrictMath.floor(metres * unitsPerMetre + 0.5);
  }

  public void match(TiledMap map, Beams beams, Pose start) {
    int x = fixed(start.x());
    int y = fixed(start.y());
    double theta = start.theta();
    int n = beams.count();
    best.turn(beams, theta);
    long score = map.sum(scoreKernel, best.x, best.y, n, x, y);
    evaluations = 1;
    double stepT = settings.stepRadians();
    double stepL = settings.stepMetres() * unitsPerMetre;
    for (int refinement = 0; refinement <= settings.refinements(); ) {
      int step = (int) StrictMath.floor(stepL + 0.5);
      long top = score;
      int move = -1;
      long s = map.sum(scoreKernel, best.x, best.y, n, x + step, y);
      if (s > top) { top = s; move = 0; }
      s = map.sum(scoreKernel, best.x, best.y, n, x - step, y);
      if (s > top) { top = s; move = 1; }
      s = map.sum(scoreKernel, best.x, best.y, n, x, y + step);
      if (s > top) { top = s; move = 2; }
      s = map.sum(scoreKernel, best.x, best.y, n, x, y - step);
      if (s > top) { top = s; move = 3; }
      plus.turn(beams, theta + stepT);
      s = map.sum(scoreKernel, plus.x, plus.y, n, x, y);
      if (s > top) { top = s; move = 4; }
      minus.turn(beams, theta - stepT);
      s = map.sum(scoreKernel, minus.x, minus.y, n, x, y);
      if (s > top) { top = s; move = 5; }
      evaluations += 6;
      if (move < 0) {
        refinement++;
        stepT /= 2;
        stepL /= 2;
      } else {
        score = top;
        switch (move) {
          case 0 -> x += step;
          case 1 -> x -= step;
          case 2 -> y += step;
          case 3 -> y -= step;
          case 4 -> { theta += stepT; Rotated t = best; best = plus; plus = t; }
          default -> { theta -= stepT; Rotated t = best; best = minus; minus = t; }
        }
      }
      if (evaluations + 6 > settings.maxEvaluations()) break;
    }
    this.score = (double) score / KERNEL_ONE;
    pose = new Pose(x / unitsPerMetre, y / unitsPerMetre, Pose.wrap(theta));
    logLikelihood = (double) map.sum(likelihoodKernel, best.x, best.y, n, x, y) / KERNEL_ONE;
    fx = x; fy = y;
  }
  int fx, fy;

  public double likelihood(TiledMap map, Beams beams, Pose at) {
    plus.turn(beams, at.theta());
    evaluations++;
    return (double) map.sum(likelihoodKernel, plus.x, plus.y, beams.count(), fixed(at.x()), fixed(at.y())) / KERNEL_ONE;
  }

  /** Minus the Hessian of the log likelihood at the matched pose. */
  public void curvature(TiledMap map, Beams beams, double hxy, double ht) {
    int n = beams.count();
    int h = (int) (hxy * unitsPerMetre);
    double hm = h / unitsPerMetre;
    double theta = pose.theta();
    plus.turn(beams, theta + ht);
    minus.turn(beams, theta - ht);
    double c = logLikelihood;
    double xp = l(map, best, n, h, 0), xm = l(map, best, n, -h, 0);
    double yp = l(map, best, n, 0, h), ym = l(map, best, n, 0, -h);
    double tp = l(map, plus, n, 0, 0), tm = l(map, minus, n, 0, 0);
    double xy = l(map, best, n, h, h) + l(map, best, n, -h, -h) - xp - xm - yp - ym + 2 * c;
    double xt = l(map, plus, n, h, 0) + l(map, minus, n, -h, 0) - xp - xm - tp - tm + 2 * c;
    double yt = l(map, plus, n, 0, h) + l(map, minus, n, 0, -h) - yp - ym - tp - tm + 2 * c;
    information[0] = -(xp + xm - 2 * c) / (hm * hm);
    information[1] = -xy / (2 * hm * hm);
    information[2] = -xt / (2 * hm * ht);
    information[3] = -(yp + ym - 2 * c) / (hm * hm);
    information[4] = -yt / (2 * hm * ht);
    information[5] = -(tp + tm - 2 * c) / (ht * ht);
    evaluations += 12;
  }

  private double l(TiledMap map, Rotated r, int n, int dx, int dy) {
    return (double) map.sum(likelihoodKernel, r.x, r.y, n, fx + dx, fy + dy) / KERNEL_ONE;
  }

  public void register(TiledMap map, Beams beams, Pose at) {
    plus.turn(beams, at.theta());
    int x = fixed(at.x());
    int y = fixed(at.y());
    for (int i = 0; i < beams.count(); i++) {
      map.hit(plus.x[i] + x, plus.y[i] + y);
    }
  }
}
