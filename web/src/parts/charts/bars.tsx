// Bars for numbers, each a link to the leads behind it. The only file that loads the chart library.
import {
  Bar,
  BarChart,
  CartesianGrid,
  ResponsiveContainer,
  usePlotArea,
  XAxis,
  YAxis,
} from 'recharts'
import { Link } from 'wouter'
import { useNarrow } from '../../ui/media.ts'
import css from './bars.module.css'
import { type Direction, heightOf } from './chart-size.ts'
import type { Row } from './rows.ts'

interface Props {
  rows: readonly Row[]
  /** Bars grow to the right, with room for names; or upwards, for a course of time. */
  direction: Direction
  formatAxis: (value: number) => string
}

/** Values may be below zero, or all be zero. */
const reach: [(least: number) => number, (most: number) => number] = [
  (least) => Math.min(0, least),
  (most) => Math.max(1, most),
]

const text = { fill: 'var(--ink-3)', fontSize: 12 }

interface Box {
  x: number
  y: number
  width: number
  height: number
}

export default function Bars({ rows, direction, formatAxis }: Props) {
  const data = rows.map((row) => ({ ...row, name: row.short ?? row.label }))
  const isUp = direction === 'up'
  const most = Math.max(...rows.map(({ value }) => value))
  // A short bar has room for its text beside it.
  const longest = Math.max(
    ...rows.map(({ value, text, shortText = text }) => (value * 2 < most ? 0 : shortText.length)),
  )
  // As wide as the longest name, but on a phone the bars need the room.
  const names = data.map(({ name }) => [...name].length)
  const letters = Math.min(Math.max(...names, 12), useNarrow() ? 16 : 26)
  return (
    <ResponsiveContainer width="100%" height={heightOf(rows.length, direction)}>
      <BarChart
        data={data}
        layout={isUp ? 'horizontal' : 'vertical'}
        margin={
          isUp
            ? { top: 18, right: 4, bottom: 0, left: 0 }
            : { top: 0, right: longest * letterWidth + 12, bottom: 0, left: 0 }
        }
        accessibilityLayer={false}
        barCategoryGap={isUp ? '22%' : '26%'}
      >
        {isUp && <CartesianGrid vertical={false} stroke="var(--line)" />}
        {isUp ? (
          <XAxis
            dataKey="name"
            tick={text}
            tickLine={false}
            axisLine={false}
            interval="preserveEnd"
            minTickGap={14}
          />
        ) : (
          <XAxis type="number" hide domain={reach} />
        )}
        {isUp ? (
          <YAxis
            width="auto"
            tick={text}
            tickLine={false}
            axisLine={false}
            tickCount={4}
            allowDecimals={false}
            tickFormatter={formatAxis}
          />
        ) : (
          <YAxis
            type="category"
            dataKey="name"
            width={letters * nameLetterWidth + 14}
            tickLine={false}
            axisLine={false}
            interval={0}
            tick={(props: TickProps) => <NameTick {...props} letters={letters} />}
          />
        )}
        <Bar
          dataKey="value"
          maxBarSize={isUp ? 48 : 16}
          isAnimationActive={false}
          background={{ fill: 'transparent' }}
          shape={(props: unknown) => (
            <LinkedBar {...(props as BarProps)} bars={rows.length} isUp={isUp} />
          )}
        />
      </BarChart>
    </ResponsiveContainer>
  )
}

type BarProps = Box & { background: Box; payload: Row }

/** The whole band is the link: a low bar would be hard to hit. */
function LinkedBar({
  x,
  y,
  width,
  height,
  background,
  payload,
  bars,
  isUp,
}: BarProps & { bars: number; isUp: boolean }) {
  const room = (usePlotArea()?.width ?? 0) / bars
  const { label, text: exact, shortText = exact, href } = payload
  // A bar below zero has a negative width or height.
  const bar = {
    x: Math.min(x, x + width),
    y: Math.min(y, y + height),
    width: Math.abs(width),
    height: Math.abs(height),
  }
  return (
    <>
      <Link href={href} className={css.bar} aria-label={`${label}: ${exact}`}>
        <title>{`${label}: ${exact}`}</title>
        <rect className={css.band} {...box(background)} />
        <rect className={css.fill} rx={3} {...bar} />
      </Link>
      {isUp && shortText.length * letterWidth > room ? null : isUp ? (
        <text x={bar.x + bar.width / 2} y={bar.y - 5} textAnchor="middle" className={css.text}>
          {shortText}
        </text>
      ) : (
        <text x={bar.x + bar.width + 6} y={bar.y + bar.height / 2} dy="0.35em" className={css.text}>
          {shortText}
        </text>
      )}
    </>
  )
}

/** Texts that are wider than a bar with its gaps would run into each other. */
const letterWidth = 7.6

const box = ({ x, y, width, height }: Box) => ({ x, y, width, height })

const nameLetterWidth = 7.2

interface TickProps {
  y: number | string
  payload: { value: string }
}

function NameTick({ y, payload, letters }: TickProps & { letters: number }) {
  const name = [...payload.value]
  const isLong = name.length > letters
  return (
    <text x={2} y={y} dy="0.35em" className={css.name}>
      {isLong
        ? `${name
            .slice(0, letters - 1)
            .join('')
            .trim()}…`
        : payload.value}
    </text>
  )
}
